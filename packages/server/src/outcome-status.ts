import type { RefusalCode } from "@retake/core";
import { ActionError, conflictMessage, type Outcome, RefusedError } from "@retake/runtime";
import { type ErrorStatus, RequestError } from "./request-error.ts";

/** The answer that an outcome holds; anything else is thrown as the error that it is over HTTP. */
export function answerIn<Answer>(outcome: Outcome<Answer>): Answer {
  switch (outcome.kind) {
    case "answer":
      return outcome.answer;
    case "conflicts":
      throw new RequestError(
        409,
        "conflict",
        `${conflictMessage(outcome.answer)} Name a policy in on_conflict (keep, merge or overwrite), or decide each in resolutions.`,
        outcome.answer,
      );
    case "busy":
      throw new RequestError(409, "busy", outcome.message);
    case "refused":
      throw new RequestError(STATUS_OF[outcome.code], outcome.code, outcome.message, outcome.details);
  }
}

const STATUS_OF: Readonly<Record<RefusalCode, ErrorStatus>> = {
  "invalid-input": 422,
  "not-found": 404,
  "no-such-turn": 404,
  ambiguous: 404,
  "stale-version": 409,
  "stale-plan": 409,
  "agent-running": 409,
  "already-exists": 409,
  "last-take": 409,
  "files-elsewhere": 409,
  conflict: 409,
  // An answer, not an error, wherever something can be changed; see `changedOutcome`.
  "nothing-to-do": 409,
};

/** Turns a thrown value into an error over HTTP. An unexpected one does not show its details. */
export function errorOf(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  if (thrown instanceof RefusedError) {
    const { code, message, details } = thrown.refusal;
    return new RequestError(STATUS_OF[code], code, message, details);
  }
  const code = (thrown as { code?: unknown } | null)?.code;
  const known = typeof code === "string" && Object.hasOwn(STATUS_OF_ERROR, code) ? STATUS_OF_ERROR[code] : undefined;
  if (known !== undefined) return new RequestError(known, String(code), (thrown as Error).message);
  // The code is the provider's, of a model that could not be used.
  if (thrown instanceof ActionError) return new RequestError(424, thrown.code, thrown.message);
  if (typeof code === "string" && "syscall" in (thrown as object))
    return new RequestError(
      500,
      "disk-failure",
      `The file system failed at this request (${code}). What was not committed was not changed. Check the disk and what you may write, and try again.`,
    );
  return new RequestError(500, "failed", "The server failed at this request. What was not committed was not changed.");
}

/** The typed errors of the runtime, by their codes. */
const STATUS_OF_ERROR: Readonly<Record<string, ErrorStatus>> = {
  "invalid-input": 400,
  "not-found": 404,
  "no-such-turn": 404,
  "unknown-thread": 404,
  "unknown-capture": 404,
  collected: 404,
  "workspace-missing": 424,
  "refused-root": 422,
  unreadable: 424,
  "config-unreadable": 424,
  "config-malformed": 424,
  "key-reused": 422,
  "key-unanswered": 409,
  cancelled: 409,
  "unknown-hunk": 422,
  "no-conflict": 422,
  "path-refused": 422,
  "not-empty": 409,
  "not-started": 409,
  locked: 409,
  busy: 409,
  "no-permission": 424,
  "no-space": 424,
  "disk-full": 424,
  "read-only": 424,
  // The disk's own trouble; the message says what was not changed, and what to do.
  "disk-failure": 500,
  unopenable: 500,
  damaged: 500,
  missing: 500,
  unfinished: 500,
};
