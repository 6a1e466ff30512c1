import { HashMap, type JsonObject, type Lookup, SortedMap, type Table } from "@retake/core";

/**
 * The maps of a state that lies in the store: what is asked for is read, what is changed is kept in
 * memory on top. So a command that edits one entry of 100,000 reads that entry and no other.
 *
 * They are good for as long as the transaction that they were made in: the rows below must not change.
 */
export class StoredLookup implements Lookup<JsonObject> {
  readonly #read: (key: string) => JsonObject | undefined;
  readonly #stored: { readonly size: number };
  readonly #more: number;
  readonly #changed: HashMap<JsonObject | typeof GONE>;

  /** `stored` says how many there are in the store, when it is asked; `more` are those that were added since. */
  constructor(
    read: (key: string) => JsonObject | undefined,
    stored: { readonly size: number },
    more = 0,
    changed: HashMap<JsonObject | typeof GONE> = HashMap.empty(),
  ) {
    this.#read = read;
    this.#stored = stored;
    this.#more = more;
    this.#changed = changed;
  }

  get size(): number {
    return this.#stored.size + this.#more;
  }

  get(key: string): JsonObject | undefined {
    const changed = this.#changed.get(key);
    return changed === undefined ? this.#read(key) : changed === GONE ? undefined : changed;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  with(key: string, value: JsonObject): StoredLookup {
    return this.#with(this.has(key) ? 0 : 1, this.#changed.with(key, value));
  }

  without(key: string): StoredLookup {
    return this.has(key) ? this.#with(-1, this.#changed.with(key, GONE)) : this;
  }

  #with(more: number, changed: HashMap<JsonObject | typeof GONE>): StoredLookup {
    return new StoredLookup(this.#read, this.#stored, this.#more + more, changed);
  }
}

/** Rows in key order, as a query gives them. */
export interface SortedRows<V> {
  readonly size: number;
  get(key: string): V | undefined;
  at(index: number): readonly [string, V] | undefined;
  rank(key: string): number;
  entries(from?: string): IterableIterator<readonly [string, V]>;
  descending(before?: string): IterableIterator<readonly [string, V]>;
}

/**
 * Rows with changes on top. To walk along them reads a stretch at a time; to ask for a position reads all rows, once, where
 * anything was changed.
 */
export class StoredTable<V extends object | string> implements Table<V> {
  readonly #rows: SortedRows<V>;
  readonly #more: number;
  readonly #changed: SortedMap<V | typeof GONE>;
  #all: SortedMap<V> | undefined;

  constructor(rows: SortedRows<V>, more = 0, changed: SortedMap<V | typeof GONE> = SortedMap.empty()) {
    this.#rows = rows;
    this.#more = more;
    this.#changed = changed;
  }

  get size(): number {
    return this.#rows.size + this.#more;
  }

  get(key: string): V | undefined {
    const changed = this.#changed.get(key);
    return changed === undefined ? this.#rows.get(key) : changed === GONE ? undefined : (changed as V);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  with(key: string, value: V): StoredTable<V> {
    return new StoredTable(this.#rows, this.#more + (this.has(key) ? 0 : 1), this.#changed.with(key, value));
  }

  without(key: string): StoredTable<V> {
    return this.has(key) ? new StoredTable(this.#rows, this.#more - 1, this.#changed.with(key, GONE)) : this;
  }

  at(index: number): readonly [string, V] | undefined {
    return this.#inOrder.at(index);
  }

  rank(key: string): number {
    return this.#inOrder.rank(key);
  }

  entries(from?: string): IterableIterator<readonly [string, V]> {
    if (this.#changed.size === 0) return this.#rows.entries(from);
    return this.#both(this.#rows.entries(from), this.#changed.entries(from), (a, b) => a < b);
  }

  descending(before?: string): IterableIterator<readonly [string, V]> {
    if (this.#changed.size === 0) return this.#rows.descending(before);
    return this.#both(this.#rows.descending(before), this.#changed.descending(before), (a, b) => a > b);
  }

  /** Rows and changes, which are both in order, as one; a change stands for the row of its key. */
  *#both(
    rows: Iterator<readonly [string, V]>,
    changes: Iterator<readonly [string, V | typeof GONE]>,
    isFirst: (a: string, b: string) => boolean,
  ): IterableIterator<readonly [string, V]> {
    let [row, change] = [rows.next(), changes.next()];
    while (!row.done || !change.done) {
      if (!row.done && (change.done || isFirst(row.value[0], change.value[0]))) {
        yield row.value;
        row = rows.next();
        continue;
      }
      if (change.done) return;
      const [key, value] = change.value;
      if (!row.done && row.value[0] === key) row = rows.next();
      if (value !== GONE) yield [key, value as V];
      change = changes.next();
    }
  }

  get #inOrder(): SortedRows<V> {
    if (this.#changed.size === 0) return this.#rows;
    this.#all ??= this.#merged();
    return this.#all;
  }

  #merged(): SortedMap<V> {
    let all = SortedMap.fromSorted([...this.#rows.entries()]);
    for (const [key, value] of this.#changed.entries())
      all = value === GONE ? all.without(key) : all.with(key, value as V);
    return all;
  }
}

const GONE = Symbol("removed");
