import type { BytePath } from "./model.ts";

/**
 * Why a path may not be written, wherever it comes from: a plan, a tree from the network, a bundle. Only the name is
 * checked here; `Directories` checks at opening that no parent is a symlink.
 *
 * `.git` is refused in every spelling that some file system takes for it, on every system, because a tree from one
 * system is written on another: the user's own repository is never written to.
 */
export function pathProblem(path: BytePath, platform: NodeJS.Platform = process.platform): PathProblem | undefined {
  if (path === "") return "empty";
  if (path.includes("\0")) return "nul";
  if (path.startsWith("/") || (platform === "win32" && /^[a-z]:|^\\/i.test(path))) return "absolute";
  if (path.length > LONGEST_PATH) return "too-long";
  for (const name of path.split("/")) {
    if (name === "" || name === "." || name === "..") return "traversal";
    if (isGitName(name)) return "git-directory";
    if (name.startsWith(STAGE_PREFIX)) return "stage";
    if (name.length > LONGEST_NAME) return "too-long";
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

/** Prefix of the directory in which a restore stages its files; the restore's id follows. */
export const STAGE_PREFIX = ".retake-stage-";

const LONGEST_NAME = 255;
// Linux refuses paths of 4096 bytes; this leaves room for the workspace's own path.
const LONGEST_PATH = 3072;

/** Whether some file system opens a repository's own directory under `name`. */
function isGitName(name: string): boolean {
  // HFS+ and APFS ignore these in comparisons: zero-width joiners, direction marks, byte order mark.
  const visible = name.replace(/\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g, "");
  if (visible.toLowerCase() === ".git") return true;
  // NTFS: the short name, trailing dots and spaces, and a stream of the directory (".git::$INDEX_ALLOCATION").
  return /^(?:\.git|git~1)[. ]*(?:[:\\]|$)/i.test(name);
}

function isWindowsName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses control characters in names
  return !/[\x00-\x1f<>:"\\|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name);
}
