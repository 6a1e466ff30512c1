import type { BytePath } from "./model.ts";

/**
 * Why a path may not be written, whoever asks: a plan, a tree from the network, a bundle. What is
 * checked here is the name alone; that no parent is a symlink is for the one who opens it
 * (`Directories`).
 *
 * `.git` is refused in every spelling that some file system takes for it, on every system, because
 * a tree made on one is materialised on another: the user's own repository is never written to.
 */
export function pathProblem(path: BytePath, platform: NodeJS.Platform = process.platform): PathProblem | undefined {
  if (path === "") return "empty";
  if (path.includes("\0")) return "nul";
  if (path.startsWith("/") || (platform === "win32" && /^[a-z]:|^\\/i.test(path))) return "absolute";
  if (path.length > longestPath) return "too-long";
  for (const name of path.split("/")) {
    if (name === "" || name === "." || name === "..") return "traversal";
    if (isGitName(name)) return "git-directory";
    if (name.startsWith(stagePrefix)) return "stage";
    if (name.length > longestName) return "too-long";
    if (platform === "win32" && !isWindowsName(name)) return "not-a-name-here";
  }
  return undefined;
}

export type PathProblem =
  | "empty"
  | "nul"
  | "absolute"
  | "traversal"
  | "git-directory"
  | "stage"
  | "too-long"
  | "not-a-name-here";

/** What the directory that a restore stages its files in is called, up to the restore's id. */
export const stagePrefix = ".retake-stage-";

const longestName = 255;
// Linux refuses 4096 bytes with the workspace's own path in front; leave room for that.
const longestPath = 3072;

/** Whether some file system opens a repository's own directory when it is asked for `name`. */
function isGitName(name: string): boolean {
  // HFS+ and APFS leave these out of comparisons: zero-width joiners, direction marks, byte order mark.
  const visible = name.replace(/\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g, "");
  if (visible.toLowerCase() === ".git") return true;
  // NTFS: the short name, trailing dots and spaces, and a stream of the directory (".git::$INDEX_ALLOCATION").
  return /^(?:\.git|git~1)[. ]*(?:[:\\]|$)/i.test(name);
}

function isWindowsName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses control characters in names
  return !/[\x00-\x1f<>:"\\|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name);
}
