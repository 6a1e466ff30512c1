import { createHash } from "node:crypto";
import type { BytePath, Change } from "./model.ts";
import type { RecordedState } from "./state-codec.ts";

/**
 * The name of a tree: a hash over the name of the tree that it was made from and what changed since. Two stores that
 * hold the same lineage hold the same names, and no tree has to be hashed as a whole. The encoding is frozen
 * (docs/workspace.md, "The name of a capture"): operations carry the names.
 *
 * `changes` are in byte order. Those of a first capture, whose parent is "", create all that it holds.
 */
export function treeName(parent: string, changes: Iterable<Change>): string {
  const hash = createHash("sha256");
  let text = `retake-tree-1\0${parent}\0`;
  for (const { path, before, after } of changes) {
    text += `${path}\0${stateText(before)}\0${stateText(after)}\0`;
    if (text.length < pieceLength) continue;
    hash.update(text, "latin1");
    text = "";
  }
  return hash.update(text, "latin1").digest("hex");
}

/** What a first capture holds, as the change list that it is named by. */
export function* creations(states: Iterable<readonly [BytePath, RecordedState]>): Iterable<Change> {
  yield* creationsInOrder([...states].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same of states that are in byte order already. */
export function* creationsInOrder(states: Iterable<readonly [BytePath, RecordedState]>): Iterable<Change> {
  for (const [path, after] of states) yield { path, after };
}

const pieceLength = 64 * 1024;

function stateText(state: RecordedState | undefined): string {
  if (!state) return "";
  if (state.kind === "uncovered") return `uncovered ${state.reason}${state.inherited ? " inherited" : ""}`;
  const ignored = state.ignored ? " ignored" : "";
  if (state.kind === "directory") return `directory ${state.mode.toString(8)}${ignored}`;
  const content = `${state.size} ${state.hash}${ignored}`;
  return state.kind === "link" ? `link ${content}` : `file ${state.mode.toString(8)} ${content}`;
}
