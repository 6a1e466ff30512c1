import { errorCode } from "@retake/workspace";

/** Explains an error of the file system to the model; undefined for any other error. */
export function explainFileError(error: unknown): string | undefined {
  const code = errorCode(error);
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code) || !(error instanceof Error)) return undefined;
  const path = "path" in error && typeof error.path === "string" ? visible(error.path) : undefined;
  const words = meaningOf(error);
  return path === undefined ? `Failed: ${words} (${code}).` : `Failed: ${words} (${code}): ${path}`;
}

/** The same in words alone. */
export function meaningOf(error: Error): string {
  return meanings[errorCode(error) ?? ""] ?? error.message;
}

const meanings: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  ENOENT: "no such file or directory",
  ENOTDIR: "a part of the path is a file, not a directory",
  EISDIR: "it is a directory",
  EEXIST: "it already exists",
  ELOOP: "its links lead in a circle, or it became a link",
  ENAMETOOLONG: "the path is too long",
  ENOSPC: "the disk is full; nothing was changed",
  EDQUOT: "the disk quota is used up; nothing was changed",
  EROFS: "the file system is read-only",
  EMFILE: "too many open files",
  EBUSY: "it is in use",
  E2BIG: "the command is too long for the system; put it into a file and run that",
  EXDEV: "it lies on another file system",
};

/** Descriptors of ours say nothing to a reader. */
function visible(path: string): string | undefined {
  return path.startsWith("/proc/self/fd/") ? undefined : path;
}
