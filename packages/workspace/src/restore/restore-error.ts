import type { BytePath } from "../model/model.ts";
import { showPath } from "../model/path-bytes.ts";
import { ObjectError } from "../objects/object-error.ts";

export type RestoreErrorCode =
  /** A path that may not be written: see `pathProblem`. */
  | "path-refused"
  | "no-permission"
  | "no-space"
  /** Requested hunks do not exist in the change, or belong to a file that is not text. */
  | "unknown-hunk"
  /** A resolution was given for a path that has no conflict. */
  | "no-conflict"
  /** The caller cancelled it before the commit. */
  | "cancelled"
  /** A failure before the commit; the files are unchanged. */
  | "not-started"
  /** A failure after the commit; the next start completes it. */
  | "unfinished"
  /** Another process is restoring files here. */
  | "locked"
  /** The target directory is neither new nor empty. */
  | "not-empty";

/** The outside world prevented a restore, or its completion. The message says which. */
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

export function noConflict(path: BytePath): RestoreError {
  const message = `'${showPath(path)}' has no conflict that could be resolved. No file was changed. Ask again what would be done.`;
  return new RestoreError("no-conflict", message, { path });
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The error for a failure before the commit. */
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
  // Errors that do not come from the file system were thrown by the caller's own commit, and belong to the caller.
  if (!isSqlite(cause, 10) && !/^E[A-Z0-9]+$/.test(code ?? "")) return cause;
  return new RestoreError("not-started", "The files could not be prepared. No file was changed.", { cause });
}

/** The error for a failure after the commit: the next recovery continues. */
export function unfinished(cause: unknown): RestoreError {
  if (cause instanceof RestoreError && cause.code === "unfinished") return cause;
  return new RestoreError(
    "unfinished",
    "A restore that was interrupted could not be finished. Nothing is lost, and it will be tried again at the next " +
      "start. Free the cause (permissions, disk) and start again.",
    { cause },
  );
}

/** 10 is SQLite's I/O error, 13 its full disk; the higher bits say where. */
function isSqlite(error: unknown, code: number): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === code;
}
