/**
 * How shell commands are confined on this machine. A confined command sees the file system read-only but for the
 * workspace and a private temporary directory, has no network but a loopback of its own, sees no keys and nothing of
 * Retake's, and dies with Retake.
 *
 *   find-confinement   which way works here, found out once per process by trying it
 *   confined-place     what is read-only, writable and hidden for one command
 *   bubblewrap, unshare, sandbox-exec   the same place as arguments of each program
 *
 * All ways keep one order: everything read-only; hidden places that the workspace lies in; the workspace, writable; its
 * repositories, read-only; the other hidden places. Later mounts cover earlier ones.
 */
import type { ConfinedPlace } from "./confined-place.ts";

export type Confinement = ConfinementFound | NoConfinement;

export interface ConfinementFound {
  readonly kind: "bwrap" | "unshare" | "sandbox-exec";
  /** The processes between the one that is started and the shell of the command, both included. */
  readonly levels: number;
  /** The arguments that run a program in the place. */
  argv(program: readonly string[], place: ConfinedPlace): string[];
}

export interface NoConfinement {
  readonly kind: "none";
  /** Why, in words. */
  readonly reason: string;
}

/** How commands are confined here, for people. */
export function describeConfinement(found: Confinement): string {
  if (found.kind === "none") return `not confined: ${found.reason}`;
  return `confined by ${found.kind}: only the workspace is writable, .git is not; no network, no keys`;
}
