import { createHash } from "node:crypto";
import type { BytePath, Change } from "./model.ts";
import type { RecordedState } from "./state-codec.ts";

/**
 * The name of a tree: a hash of the name of the tree it was made from and of the changes since. Two stores with the
 * same lineage have the same names, and no tree has to be hashed as a whole. The encoding is frozen (docs/workspace.md,
 * "The name of a capture"), because operations contain these names.
 *
 * `changes` are in byte order. The changes of a first capture, whose parent is "", create all its files.
 */
export function treeName(parent: string, changes: Iterable<Change>): string {
  const hash = createHash("sha256");
  let text = `retake-tree-1\0${parent}\0`;
  for (const { path, before, after } of changes) {
    text += `${path}\0${stateText(before)}\0${stateText(after)}\0`;
    if (text.length < PIECE_LENGTH) continue;
    hash.update(text, "latin1");
    text = "";
  }
  return hash.update(text, "latin1").digest("hex");
}

/** The files of a first capture as a change list, from which its name is computed. */
export function* creations(states: Iterable<readonly [BytePath, RecordedState]>): Iterable<Change> {
  yield* creationsInOrder([...states].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same for states that are already in byte order. */
export function* creationsInOrder(states: Iterable<readonly [BytePath, RecordedState]>): Iterable<Change> {
  for (const [path, after] of states) yield { path, after };
}

const PIECE_LENGTH = 64 * 1024;

function stateText(state: RecordedState | undefined): string {
  if (!state) return "";
  if (state.kind === "uncovered") return `uncovered ${state.reason}${state.inherited ? " inherited" : ""}`;
  const ignored = state.ignored ? " ignored" : "";
  if (state.kind === "directory") return `directory ${state.mode.toString(8)}${ignored}`;
  const content = `${state.size} ${state.hash}${ignored}`;
  return state.kind === "link" ? `link ${content}` : `file ${state.mode.toString(8)} ${content}`;
}
