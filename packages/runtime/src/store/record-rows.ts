import type { JsonObject } from "@retake/core";
import type { Database } from "@retake/workspace";
import { after, type Layer, type Range, shownRecords } from "./layers.ts";
import { END, keyFrom, storedKey } from "./record-key.ts";
import type { SortedRows } from "./stored-table.ts";

/** How many records are cached: the few that every change reads, but not all turns of a long history. */
const KEPT = 100;
/** How many rows are read at a time: undo needs the last group, a list needs all. */
const FIRST = 4;
const MOST = 1024;

/** The records of a space that are not entries: settings, turns, groups. */
export class RecordRows implements SortedRows<JsonObject> {
  readonly #database: Database;
  readonly #layers: () => readonly Layer[];
  readonly #cache = new Map<string, JsonObject | undefined>();

  constructor(database: Database, layers: () => readonly Layer[]) {
    this.#database = database;
    this.#layers = layers;
  }

  get size(): number {
    let count = 0;
    for (const _ of this.entries()) count += 1;
    return count;
  }

  get(key: string): JsonObject | undefined {
    if (!this.#cache.has(key)) this.learn(key, this.#find(key));
    return this.#cache.get(key);
  }

  /** Updates the cached value of a record. */
  learn(key: string, value: JsonObject | undefined): void {
    if (this.#cache.size >= KEPT) this.#cache.clear();
    this.#cache.set(key, value);
  }

  at(index: number): readonly [string, JsonObject] | undefined {
    let left = index;
    for (const pair of this.entries()) if (left-- === 0) return pair;
    return undefined;
  }

  rank(key: string): number {
    let count = 0;
    for (const [each] of this.entries()) {
      if (each >= key) break;
      count += 1;
    }
    return count;
  }

  entries(from = ""): IterableIterator<readonly [string, JsonObject]> {
    return this.#walk({ from: storedKey(from), to: END }, "ASC");
  }

  descending(before?: string): IterableIterator<readonly [string, JsonObject]> {
    return this.#walk({ from: "", to: before === undefined ? END : storedKey(before) }, "DESC");
  }

  #find(key: string): JsonObject | undefined {
    for (const { space, until } of this.#layers()) {
      const row = this.#database
        .prepare("SELECT value, coalesce(version, 0) > ? AS later FROM records WHERE space = ? AND id = ?")
        .get(until ?? Number.MAX_SAFE_INTEGER, space, storedKey(key));
      if (!row) continue;
      const text = row["later"] === 1 ? null : (row["value"] as string | null);
      return text === null ? undefined : (JSON.parse(text) as JsonObject);
    }
    return undefined;
  }

  /**
   * Merges the layers here and not in SQL: there each row would be looked up in all layers above it, and a look-up can be slow,
   * because SQLite reads the records that it passes, of which one may have a megabyte.
   */
  *#walk(range: Range, order: Order): IterableIterator<readonly [string, JsonObject]> {
    const isSooner = (a: string, b: string) => (order === "ASC" ? a < b : a > b);
    const heads = this.#layers().map((layer) => {
      const rows = this.#rowsOf(layer, range, order);
      return { rows, next: rows.next() };
    });
    for (;;) {
      let first: StoredRow | undefined;
      for (const { next } of heads) if (!next.done && (!first || isSooner(next.value.id, first.id))) first = next.value;
      if (!first) return;
      const { id, value } = first;
      if (value !== null) yield [keyFrom(id), JSON.parse(value) as JsonObject];
      for (const head of heads) if (!head.next.done && head.next.value.id === id) head.next = head.rows.next();
    }
  }

  /** The rows of one layer, with its removals. */
  *#rowsOf(layer: Layer, { from, to }: Range, order: Order): Generator<StoredRow, undefined> {
    const page = this.#database.prepare(
      `SELECT id, value FROM records WHERE space = ? AND id >= ? AND id < ? AND coalesce(version, 0) <= ?
       ORDER BY id ${order} LIMIT ?`,
    );
    const until = layer.until ?? Number.MAX_SAFE_INTEGER;
    const shown = shownRecords(layer);
    for (const range of order === "ASC" ? shown : shown.toReversed()) {
      let [least, most] = [from > range.from ? from : range.from, to < range.to ? to : range.to];
      for (let limit = FIRST; least < most; limit = Math.min(limit * 4, MOST)) {
        const rows = page.all(layer.space, least, most, until, limit) as unknown as StoredRow[];
        yield* rows;
        const last = rows.at(-1)?.id;
        if (last === undefined || rows.length < limit) break;
        [least, most] = order === "ASC" ? [after(last), most] : [least, last];
      }
    }
    return undefined;
  }
}

type Order = "ASC" | "DESC";

interface StoredRow {
  readonly id: string;
  /** Null for a removal, which hides the row below. */
  readonly value: string | null;
}
