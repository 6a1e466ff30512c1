/**
 * Explains an error of the operating system to a user, when no code closer to it has done so. Changes are committed as
 * a whole, so a failed one leaves everything saved before unchanged.
 */
export function systemFailure(error: unknown): { readonly code: string; readonly message: string } | undefined {
  const { code = "", path } = error as { code?: string; path?: unknown };
  const failure = FAILURES[code];
  if (!failure) return undefined;
  const where = typeof path === "string" ? ` (${path})` : "";
  const [name, what, next] = failure;
  return { code: name, message: `${what}${where}. It was not done, and nothing that was saved is lost. ${next}` };
}

const FAILURES: Readonly<Record<string, readonly [code: string, what: string, next: string]>> = {
  ENOSPC: ["no-space", "The disk is full", "Free some space and try again."],
  EDQUOT: ["no-space", "Your share of the disk is used up", "Free some space and try again."],
  EROFS: ["read-only", "The disk cannot be written", "Make it writable, or choose another place with RETAKE_HOME."],
  EACCES: ["no-permission", "You may not read or write there", "Check who it belongs to and try again."],
  EPERM: ["no-permission", "That is not permitted", "Check who it belongs to and try again."],
  EEXIST: ["in-the-way", "A file is where a directory should be", "Move it, or choose another place with RETAKE_HOME."],
  ENOTDIR: [
    "in-the-way",
    "A file is where a directory should be",
    "Move it, or choose another place with RETAKE_HOME.",
  ],
  EIO: ["disk-failure", "The disk failed", "Check it before you go on."],
  EMFILE: ["too-many-files", "Too many files are open", "Close some programs, or raise the limit (ulimit -n)."],
};
