/** Why a file that the user named could not be read or written, in words; the words of the system where it is something rare. */
export function fileProblem(error: unknown, wanted: "read" | "written"): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return `cannot be ${wanted}: ${PROBLEMS[`${code} ${wanted}`] ?? PROBLEMS[code] ?? message}`;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  "ENOENT read": "there is no such file",
  "ENOENT written": "the directory around it is not there",
  EISDIR: "it is a directory",
  ENOTDIR: "a file is in the way, where its path needs a directory",
  EACCES: "you have no permission",
  EPERM: "you have no permission",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "your share of the disk is used up",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its links lead in a circle",
  EMFILE: "too many files are open",
};
