import type { JsonObject } from "@retake/core";
import type { Database } from "./open-database.ts";
import type { SortedRows } from "./stored-table.ts";

/** Records that are remembered: the few that every change asks for, and not all turns of a long history. */
const MOST = 100;

/** Rows that are read at a time. */
const STRETCH = 64;

/**
 * The records that are not entries, in the order of JavaScript. SQLite sorts two texts otherwise only where both hold
 * characters that UTF-16 writes as surrogates, or those above them (`ODD`): from the first such row on, all are read and sorted here.
 */
export class RecordRows implements SortedRows<JsonObject> {
  readonly #database: Database;
  readonly #space: number;
  readonly #known = new Map<string, JsonObject | undefined>();

  constructor(database: Database, space: number) {
    this.#database = database;
    this.#space = space;
  }

  get size(): number {
    return Number(this.#database.prepare("SELECT count(*) AS n FROM records WHERE space = ?").get(this.#space)?.["n"]);
  }

  get(key: string): JsonObject | undefined {
    if (!this.#known.has(key)) {
      if (this.#known.size >= MOST) this.#known.clear();
      this.#known.set(key, this.#read(key));
    }
    return this.#known.get(key);
  }

  at(index: number): readonly [string, JsonObject] | undefined {
    return this.#all()[index];
  }

  rank(key: string): number {
    return this.#all().filter(([id]) => id < key).length;
  }

  *entries(from = ""): IterableIterator<readonly [string, JsonObject]> {
    if (ODD.test(from)) return yield* this.#all().filter(([id]) => id >= from);
    yield* this.#walk("id >= ?", "id > ?", "ASC", from);
  }

  *descending(before?: string): IterableIterator<readonly [string, JsonObject]> {
    if (before !== undefined && ODD.test(before))
      return yield* this.#all()
        .filter(([id]) => id < before)
        .reverse();
    yield* this.#walk(before === undefined ? "? IS NULL" : "id < ?", "id < ?", "DESC", before ?? null);
  }

  *#walk(
    first: string,
    next: string,
    order: "ASC" | "DESC",
    begin: string | null,
  ): IterableIterator<readonly [string, JsonObject]> {
    let last = begin;
    for (let condition = first; ; condition = next) {
      const select = `SELECT id, value FROM records WHERE space = ? AND ${condition} ORDER BY id ${order}`;
      const some = this.#database.prepare(`${select} LIMIT ?`).all(this.#space, last, STRETCH);
      const isOdd = some.some((row) => ODD.test(row["id"] as string));
      const rows = isOdd ? this.#database.prepare(select).all(this.#space, last) : some;
      const pairs = rows.map(pairOf);
      yield* isOdd ? pairs.sort(order === "ASC" ? ascending : descending) : pairs;
      if (isOdd || some.length < STRETCH) return;
      last = pairs.at(-1)?.[0] ?? last;
    }
  }

  #read(key: string): JsonObject | undefined {
    const row = this.#database.prepare("SELECT value FROM records WHERE space = ? AND id = ?").get(this.#space, key);
    return row && (JSON.parse(row["value"] as string) as JsonObject);
  }

  #all(): Pair[] {
    const rows = this.#database.prepare("SELECT id, value FROM records WHERE space = ?").all(this.#space);
    return rows.map(pairOf).sort(ascending);
  }
}

const ODD = /[\ud800-\uffff]/;

type Pair = readonly [string, JsonObject];

function pairOf(row: Readonly<Record<string, unknown>>): Pair {
  return [row["id"] as string, JSON.parse(row["value"] as string) as JsonObject];
}

function ascending([a]: Pair, [b]: Pair): number {
  return a < b ? -1 : 1;
}

function descending(a: Pair, b: Pair): number {
  return ascending(b, a);
}
