import type { JsonObject } from "../values/json.ts";

/**
 * Why something was not done. An expected outcome, so a value and not an exception: nothing has
 * changed, and `message` tells a user what happened and what to do next.
 */
export interface Refusal {
  readonly kind: "refused";
  readonly code: RefusalCode;
  readonly message: string;
  readonly details?: JsonObject;
}

export type RefusalCode =
  /** The input is not of the form the operation takes. */
  | "invalid-input"
  /** An id that names nothing here. */
  | "not-found"
  /** A name that several things have; `details.near` lists them. */
  | "ambiguous"
  /** The thread has changed since the version the caller saw. */
  | "stale-version"
  /** The agent is working in this take. */
  | "agent-running"
  /** No turn is running, or another one. */
  | "no-such-turn"
  /** The name or id is in use. */
  | "already-exists"
  /** The last take cannot be deleted. */
  | "last-take"
  /** The change would change nothing. */
  | "nothing-to-do"
  /** Later changes stand in the way; `details.conflicts` lists them. */
  | "conflict";

export function refuse(code: RefusalCode, message: string, details?: JsonObject): Refusal {
  return details ? { kind: "refused", code, message, details } : { kind: "refused", code, message };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "refused";
}
