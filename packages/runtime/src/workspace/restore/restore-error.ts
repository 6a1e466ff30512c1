import type { BytePath } from "../model.ts";
import { showPath } from "../path-bytes.ts";

export type RestoreErrorCode =
  /** A path that may not be written: see `pathProblem`. */
  | "path-refused"
  | "no-permission"
  | "no-space"
  /** Hunks were chosen that the change does not have, or of a file that is not text. */
  | "unknown-hunk"
  /** Nobody waited for it any more, and nothing was committed yet. */
  | "cancelled"
  /** Something went wrong before the commit; the files are as they were. */
  | "not-started"
  /** Something went wrong after the commit; the next start finishes it. */
  | "unfinished"
  /** Another process restores files here. */
  | "locked"
  /** A directory that had to be new or empty is neither. */
  | "not-empty";

/** The outside world kept a restore from happening, or from finishing. The message says which. */
export class RestoreError extends Error {
  readonly code: RestoreErrorCode;
  readonly path: BytePath | undefined;

  constructor(code: RestoreErrorCode, message: string, options: ErrorOptions & { path?: BytePath } = {}) {
    super(message, options);
    this.name = "RestoreError";
    this.code = code;
    this.path = options.path;
  }
}

export function pathRefused(path: BytePath, problem: string): RestoreError {
  return new RestoreError("path-refused", `'${showPath(path)}' may not be written (${problem}). No file was changed.`, {
    path,
  });
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
