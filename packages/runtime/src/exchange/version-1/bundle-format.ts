import type { JsonObject } from "@retake/core";
import type { Hash, RecordedState } from "@retake/workspace";

/**
 * Bundles as Retake 0.1.0 wrote them.
 *
 * JSON lines, compressed with zstd: a header, the operations in order, the trees (each as its difference from the one
 * before), the objects, and last a line with the hash of all lines before it. Trees have the names of their store of
 * origin, which mean nothing elsewhere: an import gives them new names.
 */
export type BundleHeader = {
  readonly thread_id: string;
  readonly title: string;
  readonly operations: number;
  readonly trees: number;
  readonly objects: number;
};

export type BundleLine =
  | { readonly kind: "operation"; readonly hash: Hash; readonly operation: JsonObject }
  | { readonly kind: "tree"; readonly name: string; readonly changes: readonly BundledPath[] }
  | { readonly kind: "object"; readonly hash: Hash; readonly content: string }
  | { readonly kind: "end"; readonly hash: Hash };

/** A path is bytes, so it is written in base64; without a state, the path is removed. */
export type BundledPath = { readonly path: string; readonly state?: RecordedState };
