import type { Lookup, Space, State, Table } from "@retake/core";

/**
 * A state that changes in place: operations that are applied to it one after the other copy nothing. The state that it
 * was made from stays. For operations that replace no spaces: a draft is never part of two spaces.
 */
export function draftOf(state: State): State {
  const spaces = Array.from(state.spaces.entries(), ([take, space]) => [take, draftSpace(space)] as const);
  const drafts = new DraftTable(state.spaces);
  for (const [take, space] of spaces) drafts.with(take, space);
  return { ...state, thread: new DraftTable(state.thread), spaces: drafts };
}

function draftSpace(space: Space): Space {
  const { entries, order, records } = space;
  return {
    ...space,
    entries: new DraftLookup(entries),
    order: new DraftTable(order),
    records: new DraftTable(records),
  };
}

/** Changes are collected until something else than one value is asked for. */
class DraftLookup<V, B extends Lookup<V>> implements Lookup<V> {
  #base: B;
  readonly #changed = new Map<string, V | undefined>();

  constructor(base: B) {
    this.#base = base;
  }

  protected get settled(): B {
    for (const [key, value] of this.#changed)
      this.#base = (value === undefined ? this.#base.without(key) : this.#base.with(key, value)) as B;
    this.#changed.clear();
    return this.#base;
  }

  get size(): number {
    return this.settled.size;
  }

  get(key: string): V | undefined {
    const changed = this.#changed.get(key);
    return changed !== undefined || this.#changed.has(key) ? changed : this.#base.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  with(key: string, value: V): this {
    this.#changed.set(key, value);
    return this;
  }

  without(key: string): this {
    this.#changed.set(key, undefined);
    return this;
  }
}

class DraftTable<V> extends DraftLookup<V, Table<V>> implements Table<V> {
  at(index: number): readonly [string, V] | undefined {
    return this.settled.at(index);
  }

  rank(key: string): number {
    return this.settled.rank(key);
  }

  entries(from?: string): IterableIterator<readonly [string, V]> {
    return this.settled.entries(from);
  }

  descending(before?: string): IterableIterator<readonly [string, V]> {
    return this.settled.descending(before);
  }

  withoutRange(from: string, to?: string): Table<V> {
    return this.settled.withoutRange(from, to);
  }

  where(keeps: (key: string, value: V) => boolean): Table<V> {
    return this.settled.where(keeps);
  }
}
