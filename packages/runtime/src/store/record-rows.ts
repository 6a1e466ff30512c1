import type { JsonObject } from "@retake/core";
import type { Database } from "@retake/workspace";
import { after, EVERYTHING, type Layer, type Range, RECORDS, select } from "./layers.ts";
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

  *entries(from = ""): IterableIterator<readonly [string, JsonObject]> {
    let [limit, next] = [FIRST, storedKey(from)];
    for (;;) {
      const rows = this.#read({ from: next, to: END }, "ASC", limit);
      yield* rows.map(read);
      const last = rows.at(-1)?.id;
      if (last === undefined || rows.length < limit) return;
      [limit, next] = [Math.min(limit * 4, MOST), after(last)];
    }
  }

  *descending(before?: string): IterableIterator<readonly [string, JsonObject]> {
    let [limit, to] = [FIRST, before === undefined ? END : storedKey(before)];
    for (;;) {
      const rows = this.#read({ from: EVERYTHING.from, to }, "DESC", limit);
      yield* rows.map(read);
      const last = rows.at(-1)?.id;
      if (last === undefined || rows.length < limit) return;
      [limit, to] = [Math.min(limit * 4, MOST), last];
    }
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

  #read(range: Range, order: "ASC" | "DESC", limit: number): StoredRow[] {
    const query = select(RECORDS, this.#layers(), range, "id, value");
    if (!query) return [];
    const rows = this.#database.prepare(`${query.sql} ORDER BY id ${order} LIMIT ?`).all(...query.values, limit);
    return rows as unknown as StoredRow[];
  }
}

interface StoredRow {
  readonly id: string;
  readonly value: string;
}

function read({ id, value }: StoredRow): readonly [string, JsonObject] {
  return [keyFrom(id), JSON.parse(value) as JsonObject];
}
