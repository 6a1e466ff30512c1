import type { JsonObject } from "@retake/core";
import type { Database } from "@retake/workspace";
import { after, EVERYTHING, type Layer, type Range, selectEntries, shownEntries } from "./layers.ts";
import { END } from "./record-key.ts";
import type { SortedRows } from "./stored-table.ts";

/** How many rows are read at a time: few at first, because most readers need only the next ones. */
const FIRST = 32;
const MOST = 1024;
/** Counting this many rows takes no noticeable time. */
const NEAR = 128;

/**
 * The entries of a space, as rows: their ids by place, and their values. A reader that walks along the order asks for
 * each value next, so values are read in batches; only one batch is held.
 */
export class EntryRows implements SortedRows<string> {
  readonly #database: Database;
  readonly #source: EntrySource;
  #stretch: Stretch | undefined;
  /** An edit asks for one entry several times: whether it exists, its value, its value before. */
  #last: { readonly id: string; readonly value: JsonObject | undefined } | undefined;

  constructor(database: Database, source: EntrySource) {
    this.#database = database;
    this.#source = source;
  }

  get space(): number {
    return top(this.#source.layers);
  }

  get size(): number {
    const row = this.#database.prepare("SELECT entry_count FROM spaces WHERE id = ?").get(this.space);
    return Number(row?.["entry_count"]);
  }

  /**
   * How many entries there are up to a place. Most questions are about a place near an end, from where few rows are
   * counted.
   */
  countUpto(upto: string | undefined): number {
    if (upto === undefined) return this.size;
    const sooner = { from: "", to: after(upto) };
    const near = this.#count(sooner, NEAR);
    if (near !== undefined) return near;
    const later = this.#count({ from: after(upto), to: END }, NEAR);
    return later === undefined ? this.#count(sooner) : this.size - later;
  }

  value(id: string): JsonObject | undefined {
    if (this.#last?.id !== id) {
      const text = this.#walkedValue(id) ?? this.find(id)?.value;
      this.#last = { id, value: text === undefined ? undefined : (JSON.parse(text) as JsonObject) };
    }
    return this.#last.value;
  }

  /** The row that shows an entry. */
  find(id: string): FoundRow | undefined {
    for (const { space, upto } of this.#source.layers) {
      const row = this.#database
        .prepare("SELECT place, value, words FROM entries WHERE space = ? AND id = ?")
        .get(space, id);
      if (!row) continue;
      const place = row["place"] as string | null;
      if (place === null || (upto !== undefined && place > upto)) return undefined;
      return { space, place, value: row["value"] as string, words: row["words"] as number | null };
    }
    return undefined;
  }

  get(place: string): string | undefined {
    const id = idIn(place);
    return this.find(id)?.place === place ? id : undefined;
  }

  at(index: number): readonly [string, string] | undefined {
    if (!(index >= 0 && index < this.size)) return undefined;
    // From the nearer end: most questions are about the last entry.
    const back = this.size - 1 - index;
    const [order, skip]: [Order, number] = back < index ? ["DESC", back] : ["ASC", index];
    return this.#read(EVERYTHING, order, 1, skip)[0];
  }

  rank(place: string): number {
    return this.#count({ from: "", to: place });
  }

  *entries(from = ""): IterableIterator<readonly [string, string]> {
    let [limit, next] = [FIRST, from];
    for (;;) {
      const places = this.#read({ from: next, to: END }, "ASC", limit);
      this.#walkTo(places[0]?.[0], places.at(-1)?.[0], places);
      yield* places;
      const last = places.at(-1)?.[0];
      if (last === undefined || places.length < limit) return;
      [limit, next] = [Math.min(limit * 4, MOST), after(last)];
    }
  }

  *descending(before = END): IterableIterator<readonly [string, string]> {
    let [limit, to] = [FIRST, before];
    for (;;) {
      const places = this.#read({ from: "", to }, "DESC", limit);
      this.#walkTo(places.at(-1)?.[0], places[0]?.[0], places);
      yield* places;
      const last = places.at(-1)?.[0];
      if (last === undefined || places.length < limit) return;
      [limit, to] = [Math.min(limit * 4, MOST), last];
    }
  }

  #read(range: Range, order: Order, limit: number, skip = 0): (readonly [string, string])[] {
    const query = selectEntries(this.#source.layers, range, "place");
    if (!query) return [];
    return this.#database
      .prepare(`${query.sql} ORDER BY place ${order} LIMIT ? OFFSET ?`)
      .all(...query.values, limit, skip)
      .map((row) => [row["place"] as string, idIn(row["place"] as string)] as const);
  }

  /**
   * Counts the entries of a range; with `most`, returns undefined when the layers have more rows there. It counts all
   * rows, for which an index suffices, and subtracts those that upper layers hide: these are few, and each costs a
   * look-up.
   */
  #count(range: Range): number;
  #count(range: Range, most: number): number | undefined;
  #count(range: Range, most?: number): number | undefined {
    let count = 0;
    for (const layer of this.#source.layers) {
      const query = selectEntries([layer], range, "place");
      if (!query) continue;
      const rows = most === undefined ? query.sql : `${query.sql} LIMIT ${most + 1}`;
      count += Number(this.#database.prepare(`SELECT count(*) AS n FROM (${rows})`).get(...query.values)?.["n"]);
      if (most !== undefined && count > most) return undefined;
    }
    for (const depth of this.#source.layers.keys()) count -= this.#countHidden(depth, range);
    return count;
  }

  /** How many entries of a range in one layer the upper layers hide. */
  #countHidden(depth: number, { from, to }: Range): number {
    const { layers } = this.#source;
    const [layer, above] = [layers[depth], layers.slice(0, depth)];
    if (!layer || above.length === 0) return 0;
    const shown = shownEntries(layer);
    // Searched by the ids above, which are few, and not by the places (`+`).
    const row = this.#database
      .prepare(
        `SELECT count(*) AS n FROM entries WHERE space = ? AND +place >= ? AND +place < ?
         AND id IN (SELECT id FROM entries WHERE space IN (${above.map(() => "?").join()}))`,
      )
      .get(layer.space, from, to < shown.to ? to : shown.to, ...above.map(({ space }) => space));
    return Number(row?.["n"]);
  }

  #walkTo(first: string | undefined, last: string | undefined, places: readonly (readonly [string, string])[]): void {
    if (first === undefined || last === undefined) return;
    this.#stretch = {
      range: { from: first, to: after(last) },
      ids: new Set(places.map(([, id]) => id)),
      values: undefined,
    };
  }

  /** The value of an entry in the last batch; the first question reads all values of the batch. */
  #walkedValue(id: string): string | undefined {
    const stretch = this.#stretch;
    if (!stretch?.ids.has(id)) return undefined;
    stretch.values ??= this.#values(stretch.range);
    return stretch.values.get(id);
  }

  #values(range: Range): ReadonlyMap<string, string> {
    const query = selectEntries(this.#source.layers, range, "place, value");
    const rows = query ? this.#database.prepare(query.sql).all(...query.values) : [];
    return new Map(rows.map((row) => [idIn(row["place"] as string), row["value"] as string]));
  }
}

/** The layers that entries are read from. */
export interface EntrySource {
  readonly layers: readonly Layer[];
}

type Order = "ASC" | "DESC";

export interface FoundRow {
  readonly space: number;
  readonly place: string;
  readonly value: string;
  readonly words: number | null;
}

interface Stretch {
  readonly range: Range;
  readonly ids: ReadonlySet<string>;
  values: ReadonlyMap<string, string> | undefined;
}

/** A place is an order key followed by the entry's id. */
function idIn(place: string): string {
  return place.slice(place.lastIndexOf(" ") + 1);
}

function top([first]: readonly Layer[]): number {
  if (!first) throw new Error("a space has at least one layer");
  return first.space;
}
