import { type BytePath, type Change, parentOf, type RecordedState, sameState, showPath } from "@retake/workspace";
import { broken } from "./bundle-error.ts";

/** The paths of a tree that came from elsewhere, followed from change list to change list. Refuses what no disk can hold. */
export class TreePaths {
  readonly states = new Map<BytePath, RecordedState>();
  /** How many paths lie in each directory. */
  readonly #directories = new Map<BytePath, number>();

  constructor(states: Iterable<readonly [BytePath, RecordedState]>) {
    for (const [path, state] of states) this.#put(path, state);
  }

  apply(changes: readonly Change[]): void {
    for (const { path, before } of changes) {
      if (!sameState(this.states.get(path), recorded(before)))
        throw broken(`a tree changes '${showPath(path)}' from what it is not`);
      this.#remove(path);
    }
    for (const { path, after } of changes) this.#put(path, recorded(after));
    for (const { path } of changes) if (this.#isBelowFile(path)) throw broken(`'${showPath(path)}' lies below a file`);
  }

  #put(path: BytePath, state: RecordedState | undefined): void {
    if (!state) return;
    this.states.set(path, state);
    this.#count(path, 1);
  }

  #remove(path: BytePath): void {
    if (this.states.delete(path)) this.#count(path, -1);
  }

  #count(path: BytePath, more: number): void {
    for (let at = parentOf(path); at !== ""; at = parentOf(at))
      this.#directories.set(at, (this.#directories.get(at) ?? 0) + more);
  }

  /** Or is one with something below it. */
  #isBelowFile(path: BytePath): boolean {
    const state = this.states.get(path);
    if (!state) return false;
    if (isFile(state) && (this.#directories.get(path) ?? 0) > 0) return true;
    for (let at = parentOf(path); at !== ""; at = parentOf(at)) if (isFile(this.states.get(at))) return true;
    return false;
  }
}

/** A path under a directory that is left out is not recorded: the directory is. */
function recorded(state: RecordedState | undefined): RecordedState | undefined {
  return state?.kind === "uncovered" && state.inherited ? undefined : state;
}

function isFile(state: RecordedState | undefined): boolean {
  return state?.kind === "file" || state?.kind === "link";
}
