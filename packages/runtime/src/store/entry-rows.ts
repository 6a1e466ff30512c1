import type { JsonObject } from "@retake/core";
import type { Database } from "./open-database.ts";
import type { SortedRows } from "./stored-table.ts";

/** Rows that are read at a time: few at first, since most who begin want only the next ones. */
const FIRST = 32;
const MOST = 1024;

/**
 * The entries of a space, as rows: their ids in order, and their values. Who walks along the order asks for each value
 * next, so these are read together, a stretch at a time; never more of them is held.
 */
export class EntryRows implements SortedRows<string> {
  readonly #database: Database;
  readonly #space: number;
  #size: number | undefined;
  #stretch: Stretch | undefined;
  /** An edit asks for one entry again and again: whether it is there, what it says, what it said before. */
  #last: { readonly id: string; readonly value: JsonObject | undefined } | undefined;

  constructor(database: Database, space: number) {
    this.#database = database;
    this.#space = space;
  }

  get size(): number {
    this.#size ??= Number(
      this.#database.prepare("SELECT entry_count FROM spaces WHERE id = ?").get(this.#space)?.["entry_count"],
    );
    return this.#size;
  }

  value(id: string): JsonObject | undefined {
    if (this.#last?.id !== id) {
      const text = this.#walkedValue(id) ?? this.#storedValue(id);
      this.#last = { id, value: text === undefined ? undefined : (JSON.parse(text) as JsonObject) };
    }
    return this.#last.value;
  }

  get(place: string): string | undefined {
    const row = this.#database.prepare("SELECT id FROM entries WHERE space = ? AND place = ?").get(this.#space, place);
    return row?.["id"] as string | undefined;
  }

  at(index: number): readonly [string, string] | undefined {
    if (!(index >= 0 && index < this.size)) return undefined;
    // From whichever end is nearer: most questions are about the last entry.
    const back = this.size - 1 - index;
    const [order, skip] = back < index ? ["DESC", back] : ["ASC", index];
    const row = this.#database
      .prepare(`SELECT place, id FROM entries WHERE space = ? ORDER BY place ${order} LIMIT 1 OFFSET ?`)
      .get(this.#space, skip as number);
    return row && [row["place"] as string, row["id"] as string];
  }

  rank(place: string): number {
    const counted = this.#database
      .prepare("SELECT count(*) AS n FROM entries WHERE space = ? AND place < ?")
      .get(this.#space, place);
    return Number(counted?.["n"]);
  }

  entries(from = ""): IterableIterator<readonly [string, string]> {
    return this.#walk("place >= ?", "place > ?", "ASC", from);
  }

  descending(before = LAST): IterableIterator<readonly [string, string]> {
    return this.#walk("place < ?", "place < ?", "DESC", before);
  }

  *#walk(
    first: string,
    next: string,
    order: "ASC" | "DESC",
    begin: string,
  ): IterableIterator<readonly [string, string]> {
    let [limit, last] = [FIRST, begin];
    for (let condition = first; ; condition = next) {
      const rows = this.#database
        .prepare(`SELECT place, id FROM entries WHERE space = ? AND ${condition} ORDER BY place ${order} LIMIT ?`)
        .all(this.#space, last, limit);
      const places = rows.map((row) => [row["place"] as string, row["id"] as string] as const);
      const [begun, end] = [places[0]?.[0], places.at(-1)?.[0]];
      if (begun === undefined || end === undefined) return;
      const [low, high] = order === "ASC" ? [begun, end] : [end, begun];
      this.#stretch = { first: low, last: high, ids: new Set(places.map(([, id]) => id)), values: undefined };
      yield* places;
      if (places.length < limit) return;
      [limit, last] = [Math.min(limit * 4, MOST), end];
    }
  }

  /** The value of an entry of the stretch that was walked to last; all of its values are read at the first question. */
  #walkedValue(id: string): string | undefined {
    const stretch = this.#stretch;
    if (!stretch?.ids.has(id)) return undefined;
    stretch.values ??= new Map(
      this.#database
        .prepare("SELECT id, value FROM entries WHERE space = ? AND place BETWEEN ? AND ?")
        .all(this.#space, stretch.first, stretch.last)
        .map((row) => [row["id"] as string, row["value"] as string]),
    );
    return stretch.values.get(id);
  }

  #storedValue(id: string): string | undefined {
    const row = this.#database.prepare("SELECT value FROM entries WHERE space = ? AND id = ?").get(this.#space, id);
    return row?.["value"] as string | undefined;
  }
}

/** Sorts after every place: keys and ids are ASCII. */
const LAST = "\u007f";

interface Stretch {
  readonly first: string;
  readonly last: string;
  readonly ids: ReadonlySet<string>;
  values: ReadonlyMap<string, string> | undefined;
}
