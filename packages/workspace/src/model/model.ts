/**
 * What a workspace's files are to Retake.
 *
 * A captured workspace is a set of paths, each with a state. Paths are bytes, not text: a BytePath
 * holds one character (0-255) per byte, so any name a file system allows has exactly one BytePath,
 * BytePaths sort in git's order with plain `<`, and two names are the same only if their bytes are.
 *
 * Directories are not part of a capture unless they are empty; a file's directories follow from its
 * path. A missing object is an error, never a state: "did not exist" is the absence of a path.
 */

/** Relative to the workspace, separated by "/", one character per byte. Never empty, never absolute. */
export type BytePath = string;

/** A git object id in SHA-256 format, 64 lower-case hex digits. */
export type Hash = string;

/** `ignored`: captured beside the tree, because ignore rules keep it out of what git would add. */
export type FileState =
  | {
      readonly kind: "file";
      readonly hash: Hash;
      readonly size: number;
      readonly mode: number;
      readonly ignored?: true;
    }
  | { readonly kind: "link"; readonly hash: Hash; readonly size: number; readonly ignored?: true }
  /** An empty directory. */
  | { readonly kind: "directory"; readonly mode: number; readonly ignored?: true };

export const uncoveredReasons = [
  "ignored",
  "cache",
  "excluded",
  "too-large",
  "unreadable",
  "special",
  "reserved-name",
] as const;

/**
 * On disk, but not captured: with everything under it, its content is unknown. Whoever goes back to
 * such a side, or away from it, leaves the path as it is: it is neither written nor deleted.
 */
export interface Uncovered {
  readonly kind: "uncovered";
  readonly reason: (typeof uncoveredReasons)[number];
  /** Because of a directory it is in. */
  readonly inherited?: true;
}

/** One path that differs between two captures. A side that is absent did not have the path. */
export interface Change {
  readonly path: BytePath;
  readonly before?: FileState | Uncovered;
  readonly after?: FileState | Uncovered;
}

/** The files of one capture, for reading. */
export interface FileTree {
  get(path: BytePath): FileState | undefined;
  /** In byte order; with `under`, only paths inside that directory. */
  entries(under?: BytePath): Iterable<readonly [BytePath, FileState]>;
  /** Why this path, or a directory it is in, was on disk and left out. */
  uncovered(path: BytePath): Uncovered | undefined;
}

/** Content by hash. A missing or damaged object throws an ObjectError that names `path`. */
export interface ObjectReader {
  read(hash: Hash, path: BytePath): Buffer;
}

/** Content is kept once flushed; until then a crash may lose it, so flush before naming it. */
export interface ObjectWriter {
  write(content: Uint8Array, predecessor?: Hash): Hash;
  flush(): void;
}

/** A capture's name, which its lineage gives it (`tree-name.ts`): the same in every store. */
export type CaptureId = string;
