import { type BytePath, type Change, type RecordedState, sameState, showPath } from "@retake/workspace";

export interface ExportOptions {
  /** The operation whose state is exported (L12); by default the last. */
  readonly at?: string | undefined;
  /** The user's yes to ignored files that turns changed. */
  readonly withIgnored?: boolean;
}

export interface Exported {
  readonly bytes: Buffer;
  /** How many contents of files a bundle holds. */
  readonly contents?: number;
  /** Files that ignore rules name and that were left out. */
  readonly held_back?: readonly { readonly path: string; readonly changed_by_turn: boolean }[];
}

/**
 * Files that ignore rules name, such as a `.env`, stay on this machine: in a bundle they are uncovered. With the user's
 * yes, those that turns changed come along; others never do.
 */
export class HeldBack {
  readonly #changedByTurns: ReadonlySet<BytePath>;
  readonly #withIgnored: boolean;
  readonly #paths = new Set<BytePath>();

  constructor(changedByTurns: ReadonlySet<BytePath>, withIgnored: boolean) {
    this.#changedByTurns = changedByTurns;
    this.#withIgnored = withIgnored;
  }

  /** The changes as they may leave the machine; the same list where nothing is held back. */
  without(changes: readonly Change[]): readonly Change[] {
    if (!changes.some(({ path, before, after }) => this.#holds(path, before) || this.#holds(path, after)))
      return changes;
    return changes.flatMap(({ path, before: was, after: is }) => {
      const [before, after] = [this.#shown(path, was), this.#shown(path, is)];
      return sameState(before, after) ? [] : [{ path, ...(before && { before }), ...(after && { after }) }];
    });
  }

  list(): { readonly path: string; readonly changed_by_turn: boolean }[] {
    return [...this.#paths]
      .sort()
      .map((path) => ({ path: showPath(path), changed_by_turn: this.#changedByTurns.has(path) }));
  }

  #holds(path: BytePath, state: RecordedState | undefined): boolean {
    if ((state?.kind !== "file" && state?.kind !== "link") || !state.ignored) return false;
    return !(this.#withIgnored && this.#changedByTurns.has(path));
  }

  #shown(path: BytePath, state: RecordedState | undefined): RecordedState | undefined {
    if (!this.#holds(path, state)) return state;
    this.#paths.add(path);
    return { kind: "uncovered", reason: "ignored" };
  }
}
