import type { BytePath, FileState, Hash } from "../model/model.ts";
import { type MaybeState, mergeModes, sameState } from "./file-state.ts";
import { type MergedText, mergeText } from "./merge-text.ts";
import { isText } from "./text-lines.ts";

/**
 * Three-way merge of one path: `left` is the state after the change to take back, `target` the state before it, `disk`
 * the state now. Content and mode are merged separately, so that a user's `chmod` does not conflict with a change of
 * the text.
 */
export function mergeStates(
  path: BytePath,
  disk: MaybeState,
  step: { readonly left: MaybeState; readonly target: MaybeState },
  contents: Contents,
): MergedState {
  const { left, target } = step;
  if (sameState(disk, left)) return { kind: "clean", state: target };
  if (sameState(disk, target) || sameState(left, target)) return { kind: "clean", state: disk };
  if (disk === undefined) return { kind: "conflict", conflict: "deleted-by-user" };
  if (target === undefined) {
    if (disk.kind !== left?.kind) return { kind: "conflict", conflict: "type" };
    return { kind: "conflict", conflict: isBinary(path, disk, contents) ? "binary" : "overlap" };
  }
  if (disk.kind !== target.kind || (left && disk.kind !== left.kind)) return { kind: "conflict", conflict: "type" };
  if (disk.kind === "file" && target.kind === "file") {
    return mergeFiles(path, disk, left?.kind === "file" ? left : undefined, target, contents);
  }
  if (disk.kind === "directory" && target.kind === "directory") {
    const base = left?.kind === "directory" ? left.mode : target.mode;
    return { kind: "clean", state: { kind: "directory", mode: mergeModes(base, disk.mode, target.mode) } };
  }
  return { kind: "conflict", conflict: left ? "overlap" : "created-by-user" };
}

export type MergedState =
  | { readonly kind: "clean"; readonly state: MaybeState }
  /** `marked` is the file with both versions between markers, when that is possible. */
  | { readonly kind: "conflict"; readonly conflict: ConflictKind; readonly marked?: FileState };

/** Why a path cannot be restored without discarding somebody's change. */
export type ConflictKind = "overlap" | "binary" | "deleted-by-user" | "created-by-user" | "type" | "other-thread";

/** The contents of the states' hashes, and those that merging adds. */
export interface Contents {
  read(hash: Hash, path: BytePath): Buffer;
  add(content: Buffer, path: BytePath, predecessor?: Hash): Hash;
}

type File = Extract<FileState, { kind: "file" }>;

function mergeFiles(path: BytePath, disk: File, left: File | undefined, target: File, contents: Contents): MergedState {
  const mode = mergeModes(left?.mode ?? target.mode, disk.mode, target.mode);
  const as = (file: File): MergedState => ({ kind: "clean", state: { ...file, mode } });
  if (disk.hash === target.hash || left?.hash === target.hash) return as(disk);
  if (disk.hash === left?.hash) return as(target);
  // Two newly created files are two versions of an empty one.
  const base = left ? contents.read(left.hash, path) : Buffer.alloc(0);
  const merged: MergedText = mergeText(base, contents.read(disk.hash, path), contents.read(target.hash, path));
  if (merged.kind === "binary") return { kind: "conflict", conflict: left ? "binary" : "created-by-user" };
  const content = merged.kind === "clean" ? merged.content : merged.marked;
  const state: File = { kind: "file", hash: contents.add(content, path, disk.hash), size: content.length, mode };
  if (merged.kind === "clean") return { kind: "clean", state };
  return { kind: "conflict", conflict: left ? "overlap" : "created-by-user", marked: state };
}

function isBinary(path: BytePath, state: FileState, contents: Contents): boolean {
  return state.kind === "file" && !isText(contents.read(state.hash, path));
}
