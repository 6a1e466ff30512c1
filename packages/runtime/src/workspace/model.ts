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

export type FileState =
  | { readonly kind: "file"; readonly hash: Hash; readonly size: number; readonly mode: number }
  | { readonly kind: "link"; readonly hash: Hash; readonly size: number }
  /** An empty directory. */
  | { readonly kind: "directory"; readonly mode: number };

/** One path that differs between two captures. A side that is absent did not have the path. */
export interface Change {
  readonly path: BytePath;
  readonly before?: FileState;
  readonly after?: FileState;
}

/** The files of one capture, for reading. */
export interface FileTree {
  get(path: BytePath): FileState | undefined;
  /** In byte order; with `under`, only paths inside that directory. */
  entries(under?: BytePath): Iterable<readonly [BytePath, FileState]>;
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
