import type { BytePath } from "../model/model.ts";
import { showPath } from "../model/path-bytes.ts";
import { ObjectError } from "../objects/object-error.ts";

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

/** What kept a restore from being committed, as it is told. */
export function notStarted(cause: unknown): unknown {
  if (cause instanceof RestoreError || cause instanceof ObjectError) return cause;
  const code = errorCode(cause);
  if (code === "ENOSPC" || code === "EDQUOT" || isSqlite(cause, 13)) {
    return new RestoreError("no-space", "The disk is full. No file was changed. Free some space and try again.", {
      cause,
    });
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new RestoreError("no-permission", "The workspace cannot be written to. No file was changed.", { cause });
  }
  // Not of the file system: what the caller's own commit threw is the caller's.
  if (!isSqlite(cause, 10) && !/^E[A-Z0-9]+$/.test(code ?? "")) return cause;
  return new RestoreError("not-started", "The files could not be prepared. No file was changed.", { cause });
}

/** What keeps a committed restore from being carried through: the next one who comes by goes on. */
export function unfinished(cause: unknown): RestoreError {
  if (cause instanceof RestoreError && cause.code === "unfinished") return cause;
  return new RestoreError(
    "unfinished",
    "A restore that was interrupted could not be finished. Nothing is lost, and it will be tried again at the next " +
      "start. Free the cause (permissions, disk) and start again.",
    { cause },
  );
}

/** 10 is SQLite's I/O error, 13 its full disk; the rest of the number says where. */
function isSqlite(error: unknown, code: number): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === code;
}
