import type { FileState, Uncovered } from "../model/model.ts";

/** A path's state, or that there is nothing. */
export type MaybeState = FileState | undefined;

/** Equal for a restore: same kind, content and mode. Whether ignore rules apply is no part of it. */
export function sameState(a: MaybeState, b: MaybeState): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind !== b.kind) return false;
  if (a.kind === "link" || b.kind === "link") return contentOf(a) === contentOf(b);
  return a.mode === b.mode && contentOf(a) === contentOf(b);
}

export function contentOf(state: FileState): string {
  return state.kind === "directory" ? "" : state.hash;
}

/**
 * What may be put on disk: a file never gets setuid, setgid or sticky bits, so that no tree, ours or
 * a stranger's, hands out somebody's rights. On directories the last two only shape what is made inside.
 */
export function permitted(state: FileState): FileState {
  if (state.kind === "link") return state;
  return { ...state, mode: state.mode & (state.kind === "file" ? 0o777 : 0o3777) };
}

/** Each bit as the side that changed it has it, so modes never conflict. */
export function mergeModes(base: number, ours: number, theirs: number): number {
  return (ours & ~(base ^ theirs)) | (theirs & (base ^ theirs));
}

export function isUncovered(state: FileState | Uncovered | undefined): state is Uncovered {
  return state?.kind === "uncovered";
}
