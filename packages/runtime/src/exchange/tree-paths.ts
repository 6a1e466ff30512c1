import { type BytePath, type Change, parentOf, type RecordedState, sameState, showPath } from "@retake/workspace";
import { broken } from "./bundle-error.ts";

/** The paths of a tree from elsewhere, followed through its change lists. Refuses trees that no disk can hold. */
export class TreePaths {
  readonly states = new Map<BytePath, RecordedState>();
  /** The number of paths in each directory. */
  readonly #directories = new Map<BytePath, number>();

  constructor(states: Iterable<readonly [BytePath, RecordedState]>) {
    for (const [path, state] of states) this.#put(path, state);
  }

  /**
   * The change relative to the stored files. One bundle may hold ignored files back and another contain them, so the
   * state before may differ from the stored one.
   */
  fit(change: Change): Change {
    const here = this.states.get(change.path);
    const { before } = change;
    if (!here || !before || sameState(here, before) || !isIgnored(here)) return change;
    if (!isIgnored(before) && here.kind !== "uncovered") return change;
    return { ...change, before: here };
  }

  apply(changes: readonly Change[]): void {
    for (const { path, before } of changes) {
      if (!sameState(unmarked(this.states.get(path)), unmarked(recorded(before))))
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

  /** Whether a parent of the path is a file, or the path is a file with something below it. */
  #isBelowFile(path: BytePath): boolean {
    const state = this.states.get(path);
    if (!state) return false;
    if (isFile(state) && (this.#directories.get(path) ?? 0) > 0) return true;
    for (let at = parentOf(path); at !== ""; at = parentOf(at)) if (isFile(this.states.get(at))) return true;
    return false;
  }
}

/** A path under a left-out directory is not recorded; the directory is. */
function recorded(state: RecordedState | undefined): RecordedState | undefined {
  return state?.kind === "uncovered" && state.inherited ? undefined : state;
}

/** Captures of restores that are older than 0.2 do not say whether a file that they replaced was ignored. */
function unmarked(state: RecordedState | undefined): RecordedState | undefined {
  if (state === undefined || state.kind === "uncovered") return state;
  const { ignored: _, ...rest } = state;
  return rest;
}

function isIgnored(state: RecordedState): boolean {
  return state.kind === "uncovered" ? state.reason === "ignored" : state.ignored === true;
}

function isFile(state: RecordedState | undefined): boolean {
  return state?.kind === "file" || state?.kind === "link";
}
