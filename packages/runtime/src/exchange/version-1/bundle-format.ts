import type { Json, JsonObject } from "@retake/core";
import type { Hash } from "../../workspace/model.ts";
import type { RecordedState } from "../../workspace/state-codec.ts";

/**
 * Bundles as Retake 0.1.0 wrote them.
 *
 * It is JSON lines, compressed with zstd: a header, the operations in order, the trees (each as what differs from
 * the one before), the objects, and last a line with the hash of all lines before it. Trees are named as in the
 * store that the bundle comes from, which means nothing elsewhere: who imports it gives them names of its own.
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

/** A path is bytes, so it is in base64; without a state, the path is gone. */
export type BundledPath = { readonly path: string; readonly state?: RecordedState };

/** An operation in which every name of a tree is another. */
export function withTrees(operation: JsonObject, rename: (tree: string) => string): JsonObject {
  return renamed(operation, rename, false) as JsonObject;
}

const TREES = ["tree", "tree_before", "tree_after"];

/** `inside`: below a field that holds a tree; its value, or both sides of its change, are names. */
function renamed(value: Json, rename: (tree: string) => string, inside: boolean): Json {
  if (typeof value === "string") return inside && value !== "" ? rename(value) : value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename, false));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value as JsonObject).map(([name, each]) => {
    const names = TREES.includes(name) || (inside && (name === "before" || name === "after"));
    return [name, renamed(each, rename, names)] as const;
  });
  return Object.fromEntries(fields);
}
