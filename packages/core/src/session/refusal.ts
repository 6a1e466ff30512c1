import type { JsonObject } from "../values/json.ts";

/**
 * Explains why something was not done. It is an expected outcome, so a value and not an exception. Nothing has changed;
 * `message` tells a user what happened and what to do next.
 */
export interface Refusal {
  readonly kind: "refused";
  readonly code: RefusalCode;
  readonly message: string;
  readonly details?: JsonObject;
}

export type RefusalCode =
  /** The input does not have the form that the operation needs. */
  | "invalid-input"
  /** An id names nothing here. */
  | "not-found"
  /** A name fits several things; `details.near` lists them. */
  | "ambiguous"
  /** The thread has changed since the version that the caller saw. */
  | "stale-version"
  /** The plan has changed since the caller saw it. */
  | "stale-plan"
  /** The agent is working in this take. */
  | "agent-running"
  /** No turn is running, or another one is. */
  | "no-such-turn"
  /** The name or id is already in use. */
  | "already-exists"
  /** The last take cannot be deleted. */
  | "last-take"
  /** Files of the take were changed on another machine and are not here; `details.files` lists them. */
  | "files-elsewhere"
  /** The operation would change nothing. */
  | "nothing-to-do"
  /** Later changes conflict; `details.conflicts` lists them. */
  | "conflict";

export function refuse(code: RefusalCode, message: string, details?: JsonObject): Refusal {
  return details ? { kind: "refused", code, message, details } : { kind: "refused", code, message };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "refused";
}
