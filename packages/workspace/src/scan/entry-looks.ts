import { lstatSync, type Stats, statSync } from "node:fs";
import type { BytePath, Uncovered } from "../model/model.ts";
import { diskPath } from "../model/path-bytes.ts";
import { pathProblem, STAGE_PREFIX } from "../model/path-rules.ts";
import type { RecordedState } from "../model/state-codec.ts";
import type { Verdict } from "./ignore-rules.ts";

export interface ScanLimits {
  /** Larger files are left out and listed in the receipt. */
  readonly largestFile: number;
  /** Larger ignored files are left out; their changes are listed. */
  readonly largestIgnoredFile: number;
  /** An ignored directory with more entries than this is left out as a whole. */
  readonly mostIgnoredEntries: number;
}

export const defaultLimits: ScanLimits = {
  largestFile: 64 * 1024 * 1024,
  largestIgnoredFile: 256 * 1024,
  mostIgnoredEntries: 2_000,
};

/** The next step for an entry, judging by its `lstat`. */
export type EntryFinding =
  | { readonly kind: "read"; readonly as: "file" | "link"; readonly ignored: boolean }
  | { readonly kind: "known"; readonly state: RecordedState }
  | Uncovered;

/** An entry as it was last read. */
export interface OldEntry {
  readonly state: RecordedState | undefined;
  readonly stats: Float64Array;
  readonly at: number;
}

/** For any entry but a directory that is scanned. */
export function classify(
  name: string,
  verdict: Verdict,
  stat: Stats,
  old: OldEntry | undefined,
  limits: ScanLimits,
): EntryFinding {
  if (isReserved(name)) return { kind: "uncovered", reason: "reserved-name" };
  if (verdict === "cache" || verdict === "excluded") return { kind: "uncovered", reason: verdict };
  const ignored = verdict === "ignored";
  const leftOut = (reason: Uncovered["reason"]): EntryFinding => ({
    kind: "uncovered",
    reason: ignored ? "ignored" : reason,
  });
  if (!stat.isFile() && !stat.isSymbolicLink()) return leftOut("special");
  if (stat.size > (ignored ? limits.largestIgnoredFile : limits.largestFile)) return leftOut("too-large");
  const kind = stat.isFile() ? "file" : "link";
  const state = old?.state;
  if (!old || state?.kind !== kind || !looksSame(old, stat)) return { kind: "read", as: kind, ignored };
  const { ignored: _, ...rest } = state;
  return { kind: "known", state: ignored ? { ...rest, ignored } : rest };
}

export function isUnread(state: RecordedState | undefined): boolean {
  return state?.kind === "uncovered" && state.reason === "unreadable";
}

export function looksSame(old: OldEntry, stat: Stats): boolean {
  return stat.ctimeMs === old.stats[old.at + 1] && looksSameButCtime(old, stat);
}

/** Of a file that could not be read the ctime is not kept, so that every scan tries again. */
export function looksUntouched(old: OldEntry, stat: Stats): boolean {
  return isUnread(old.state) ? looksSameButCtime(old, stat) : looksSame(old, stat);
}

function looksSameButCtime({ stats, at }: OldEntry, stat: Stats): boolean {
  return (
    stat.mtimeMs === stats[at] &&
    stat.ino === stats[at + 2] &&
    stat.size === stats[at + 3] &&
    stat.mode === stats[at + 4]
  );
}

/** The result of `lstat`; "unreadable" when it fails for another reason than a missing file. */
export function look(root: BytePath, path: BytePath): Stats | "unreadable" | undefined {
  // The root itself may be an alias (`resolve-root.ts`).
  return lookAt(diskPath(root, path), path === "" ? statSync : lstatSync);
}

export function lookAt(place: string | Buffer, stat = lstatSync): Stats | "unreadable" | undefined {
  try {
    return stat(place, IF_THERE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    if (isUnreadable(error)) return "unreadable";
    throw error;
  }
}

const IF_THERE = { throwIfNoEntry: false } as const;

export function isUnreadable(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EACCES" || code === "EPERM" || code === "EIO" || code === "ENAMETOOLONG" || code === "ELOOP";
}

/** A repository's own directory, and the staging directories of restores: never scanned, never reported. */
export function isSkipped(name: string): boolean {
  return name === ".git" || name.startsWith(STAGE_PREFIX);
}

/** Some file system takes this name for `.git`, so a restore could never write it. */
export function isReserved(name: string): boolean {
  return /git|\xe2|\xef/i.test(name) && pathProblem(name) === "git-directory";
}

export function isIgnoreFile(name: string): boolean {
  return name === ".gitignore" || name === ".retakeignore";
}
