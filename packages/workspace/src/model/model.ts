/**
 * The model of a workspace's files.
 *
 * A captured workspace is a set of paths, each with a state. Paths are bytes, not text: a BytePath holds one character
 * (0-255) per byte. So any name that a file system allows has exactly one BytePath, BytePaths sort in git's order with
 * plain `<`, and two names are equal only if their bytes are.
 *
 * A capture contains directories only when they are empty; the other directories follow from the paths of files. A
 * missing object is an error, never a state: the absence of a path means "did not exist".
 */

/** Relative to the workspace, separated by "/", one character per byte. Never empty, never absolute. */
export type BytePath = string & { readonly __kind?: "byte-path" };

/** A git object id in SHA-256 format, 64 lower-case hex digits. */
export type Hash = string & { readonly __kind?: "hash" };

/** `ignored`: captured separately from the tree, because ignore rules keep it out of what git would add. */
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

export const UNCOVERED_REASONS = [
  "ignored",
  "cache",
  "excluded",
  "too-large",
  "unreadable",
  "special",
  "reserved-name",
] as const;

/**
 * On disk but not captured: its content, and that of everything under it, is unknown. A restore to such a side, or from
 * it, neither writes nor deletes the path.
 */
export interface Uncovered {
  readonly kind: "uncovered";
  readonly reason: (typeof UNCOVERED_REASONS)[number];
  /** True when a directory above it is left out. */
  readonly inherited?: true;
}

/** One path that differs between two captures. An absent side means that the path did not exist. */
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
  /** Why this path, or a directory above it, was on disk but left out. */
  uncovered(path: BytePath): Uncovered | undefined;
}

/** Reads content by hash. For a missing or damaged object it throws an ObjectError that names `path`. */
export interface ObjectReader {
  read(hash: Hash, path: BytePath): Buffer;
  /** Reads many in this order, each when it is requested. It may be used until the next is requested. */
  readEach(wanted: readonly WantedObject[]): Iterator<Buffer>;
}

export interface WantedObject {
  readonly hash: Hash;
  /** The file for which it is read. */
  readonly path: BytePath;
}

/** Writes content. It is durable after a flush; before that a crash may lose it, so flush before naming it. */
export interface ObjectWriter {
  write(content: Uint8Array, predecessor?: Hash): Hash;
  flush(): void;
}

/** The name of a capture, derived from its lineage (`tree-name.ts`): the same in every store. */
export type CaptureId = string;
