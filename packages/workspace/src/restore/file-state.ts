import type { FileState, Uncovered } from "../model/model.ts";

/** The state of a path; undefined when nothing is there. */
export type MaybeState = FileState | undefined;

/** Equal for a restore: same kind, content and mode. Ignore rules do not count. */
export function sameState(a: MaybeState, b: MaybeState): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind !== b.kind) return false;
  if (a.kind === "link" || b.kind === "link") return contentOf(a) === contentOf(b);
  return a.mode === b.mode && contentOf(a) === contentOf(b);
}

function contentOf(state: FileState): string {
  return state.kind === "directory" ? "" : state.hash;
}

/**
 * The state that may be written to disk: a file never gets setuid, setgid or sticky bits, so that no tree, own or
 * foreign, can grant somebody's rights. On directories the last two only affect files made inside.
 */
export function permitted(state: FileState): FileState {
  if (state.kind === "link") return state;
  const mode = state.mode & (state.kind === "file" ? 0o777 : 0o3777);
  return mode === state.mode ? state : { ...state, mode };
}

/** Each bit gets the value of the side that changed it, so modes never conflict. */
export function mergeModes(base: number, ours: number, theirs: number): number {
  return (ours & ~(base ^ theirs)) | (theirs & (base ^ theirs));
}

export function isUncovered(state: FileState | Uncovered | undefined): state is Uncovered {
  return state?.kind === "uncovered";
}
