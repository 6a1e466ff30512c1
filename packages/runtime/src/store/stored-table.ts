import { type JsonObject, type Lookup, SortedMap, type Table } from "@retake/core";

/**
 * The maps of a state that is in the store: rows are read on request, and changes are kept in memory on top. So a
 * command that edits one entry of 100,000 reads only that entry.
 *
 * They are valid during the transaction in which they were made: the rows below must not change.
 */
export class StoredLookup<R extends EntryReader = EntryReader> implements Lookup<JsonObject> {
  readonly rows: R;
  readonly #changed: Changed<JsonObject>;

  constructor(rows: R, changed: Changed<JsonObject> = SortedMap.empty()) {
    this.rows = rows;
    this.#changed = changed;
  }

  get size(): number {
    return this.rows.size + difference(this.#changed, (key) => this.rows.value(key) !== undefined);
  }

  get(key: string): JsonObject | undefined {
    const changed = this.#changed.get(key);
    return changed === undefined ? this.rows.value(key) : present(changed);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  with(key: string, value: JsonObject): StoredLookup<R> {
    return new StoredLookup(this.rows, this.#changed.with(key, value));
  }

  without(key: string): StoredLookup<R> {
    return new StoredLookup(this.rows, this.#changed.with(key, GONE));
  }

  /** The differences from the rows; undefined means a removal. */
  changes(): Iterable<readonly [string, JsonObject | undefined]> {
    return listed(this.#changed);
  }
}

/** Reads values by their keys, with queries. */
export interface EntryReader {
  readonly size: number;
  value(key: string): JsonObject | undefined;
}

/** Reads rows in key order, with queries. */
export interface SortedRows<V> {
  readonly size: number;
  get(key: string): V | undefined;
  at(index: number): readonly [string, V] | undefined;
  rank(key: string): number;
  entries(from?: string): IterableIterator<readonly [string, V]>;
  descending(before?: string): IterableIterator<readonly [string, V]>;
}

/** Which rows are visible: those outside the ranges that every rule accepts. */
interface Sieve<V> {
  readonly ranges: readonly { readonly from: string; readonly to: string | undefined }[];
  readonly keeps: readonly ((key: string, value: V) => boolean)[];
}

/** Reading merges rows and changes step by step, so that the first pair costs no more than without changes. */
export class StoredTable<V extends object | string, R extends SortedRows<V> = SortedRows<V>> implements Table<V> {
  readonly rows: R;
  readonly #changed: Changed<V>;
  readonly #sieve: Sieve<V>;

  constructor(rows: R, changed: Changed<V> = SortedMap.empty(), sieve: Sieve<V> = { ranges: [], keeps: [] }) {
    this.rows = rows;
    this.#changed = changed;
    this.#sieve = sieve;
  }

  get size(): number {
    if (this.#isSieved) return count(this.entries());
    return this.rows.size + difference(this.#changed, (key) => this.rows.get(key) !== undefined);
  }

  get(key: string): V | undefined {
    const changed = this.#changed.get(key);
    if (changed !== undefined) return present(changed);
    if (this.#rangeOf(key)) return undefined;
    const value = this.rows.get(key);
    return value !== undefined && this.#isKept(key, value) ? value : undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  with(key: string, value: V): StoredTable<V, R> {
    return new StoredTable(this.rows, this.#changed.with(key, value), this.#sieve);
  }

  without(key: string): StoredTable<V, R> {
    return new StoredTable(this.rows, this.#changed.with(key, GONE), this.#sieve);
  }

  withoutRange(from: string, to?: string): StoredTable<V, R> {
    const ranges = [...this.#sieve.ranges, { from, to }];
    return new StoredTable(this.rows, this.#changed.withoutRange(from, to), { ...this.#sieve, ranges });
  }

  where(keeps: (key: string, value: V) => boolean): StoredTable<V, R> {
    let changed = this.#changed;
    for (const [key, value] of changed.entries())
      if (value !== GONE && !keeps(key, value as V)) changed = changed.with(key, GONE);
    return new StoredTable(this.rows, changed, { ...this.#sieve, keeps: [...this.#sieve.keeps, keeps] });
  }

  at(index: number): readonly [string, V] | undefined {
    if (this.#changed.size === 0 && !this.#isSieved) return this.rows.at(index);
    let left = index;
    for (const pair of this.entries()) if (left-- === 0) return pair;
    return undefined;
  }

  rank(key: string): number {
    if (this.#isSieved) return count(this.entries(), key);
    const more = difference(this.#changed, (each) => this.rows.get(each) !== undefined, key);
    return this.rows.rank(key) + more;
  }

  entries(from = ""): IterableIterator<readonly [string, V]> {
    const changed = this.#changed.entries(from);
    return merge(this.#forwards(from), changed, (a, b) => a < b);
  }

  descending(before?: string): IterableIterator<readonly [string, V]> {
    const changed = this.#changed.descending(before);
    return merge(this.#backwards(before), changed, (a, b) => a > b);
  }

  /** The differences from the rows; undefined when they cannot be listed. */
  changes(): Iterable<readonly [string, V | undefined]> | undefined {
    return this.#isSieved ? undefined : listed(this.#changed);
  }

  get #isSieved(): boolean {
    return this.#sieve.ranges.length > 0 || this.#sieve.keeps.length > 0;
  }

  #isKept(key: string, value: V): boolean {
    return this.#sieve.keeps.every((keeps) => keeps(key, value));
  }

  #rangeOf(key: string) {
    return this.#sieve.ranges.find(({ from, to }) => key >= from && (to === undefined || key < to));
  }

  /** A range that is left out is skipped at once. */
  *#forwards(from: string): IterableIterator<readonly [string, V]> {
    for (let start: string | undefined = from; start !== undefined; ) {
      let next: string | undefined;
      for (const pair of this.rows.entries(start)) {
        const range = this.#rangeOf(pair[0]);
        next = range?.to;
        if (range) break;
        if (this.#isKept(...pair)) yield pair;
      }
      start = next;
    }
  }

  *#backwards(before: string | undefined): IterableIterator<readonly [string, V]> {
    for (let [start, again] = [before, true]; again; ) {
      again = false;
      for (const pair of this.rows.descending(start)) {
        const range = this.#rangeOf(pair[0]);
        if (range) {
          [start, again] = [range.from, true];
          break;
        }
        if (this.#isKept(...pair)) yield pair;
      }
    }
  }
}

const GONE = Symbol("removed");

type Changed<V> = SortedMap<V | typeof GONE>;

function present<V>(value: V | typeof GONE): V | undefined {
  return value === GONE ? undefined : (value as V);
}

function* listed<V>(changed: Changed<V>): Iterable<readonly [string, V | undefined]> {
  for (const [key, value] of changed.entries()) yield [key, present(value)];
}

/** How many more keys there are with the changes than in the rows; with `before`, counting only keys below it. */
function difference<V>(changed: Changed<V>, isRow: (key: string) => boolean, before?: string): number {
  let more = 0;
  for (const [key, value] of changed.entries()) {
    if (before !== undefined && key >= before) break;
    more += Number(value !== GONE) - Number(isRow(key));
  }
  return more;
}

function count(pairs: Iterable<readonly [string, unknown]>, before?: string): number {
  let found = 0;
  for (const [key] of pairs) {
    if (before !== undefined && key >= before) break;
    found += 1;
  }
  return found;
}

/** Merges two walks in the same direction; when both have a key, the change wins. */
function* merge<V>(
  rows: Iterator<readonly [string, V]>,
  changed: Iterator<readonly [string, V | typeof GONE]>,
  isFirst: (a: string, b: string) => boolean,
): IterableIterator<readonly [string, V]> {
  let [row, change] = [rows.next(), changed.next()];
  while (!row.done || !change.done) {
    if (change.done || (!row.done && isFirst(row.value[0], change.value[0]))) {
      if (!row.done) yield row.value;
      row = rows.next();
      continue;
    }
    const [key, value] = change.value;
    if (!row.done && row.value[0] === key) row = rows.next();
    if (value !== GONE) yield [key, value as V];
    change = changed.next();
  }
}
