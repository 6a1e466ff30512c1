import { type JsonObject, orderIndex, type Space } from "@retake/core";
import type { Database } from "./open-database.ts";
import { SearchIndex } from "./search-index.ts";
import { type SortedRows, StoredLookup, StoredTable } from "./stored-table.ts";

export type SpaceId = number;

/** The rows of spaces: reading them as the maps of a state, and writing what an operation changed. */
export class SpaceRows {
  readonly #database: Database;
  readonly #search: SearchIndex;

  constructor(database: Database) {
    this.#database = database;
    this.#search = new SearchIndex(database);
  }

  create(thread: string): SpaceId {
    return this.#database.run("INSERT INTO spaces (thread) VALUES (?)", thread).id;
  }

  dropAll(thread: string): void {
    const spaces = "(SELECT id FROM spaces WHERE thread = ?)";
    this.#database.run(`DELETE FROM records WHERE space IN ${spaces}`, thread);
    this.#database.run(`DELETE FROM entries WHERE space IN ${spaces}`, thread);
    this.#database.run("DELETE FROM spaces WHERE thread = ?", thread);
    this.#search.releaseUnused();
  }

  /** A space as the core sees it; good for the transaction it is read in. */
  space(id: SpaceId): Space {
    const places = new EntryPlaces(this.#database, id);
    return {
      entries: new StoredLookup(
        rememberLast((key) => this.entry(id, key)),
        places,
      ),
      order: new StoredTable<string>(places),
      records: this.records(id),
    };
  }

  records(id: SpaceId): StoredTable<JsonObject> {
    return new StoredTable<JsonObject>(new RecordRows(this.#database, id));
  }

  put(space: SpaceId, local: string, value: JsonObject | undefined): void {
    if (local.startsWith("entry:")) this.#putEntry(space, local.slice("entry:".length), value);
    else if (value === undefined) this.#database.run("DELETE FROM records WHERE space = ? AND id = ?", space, local);
    else {
      const text = JSON.stringify(value);
      this.#database.run("INSERT OR REPLACE INTO records (space, id, value) VALUES (?, ?, ?)", space, local, text);
    }
  }

  /** Copies the entries of a space; with `upto`, without those ordered behind that key. */
  copyEntries(from: SpaceId, to: SpaceId, upto: string | undefined): void {
    const last = upto === undefined ? LAST : `${upto} ${LAST}`;
    const { changes } = this.#database.run(
      `INSERT INTO entries (space, id, place, value, words)
       SELECT ?, id, place, value, words FROM entries WHERE space = ? AND place <= ?`,
      to,
      from,
      last,
    );
    this.#database.run("UPDATE spaces SET entry_count = entry_count + ? WHERE id = ?", changes, to);
  }

  entry(space: SpaceId, id: string): JsonObject | undefined {
    return this.#stored(space, id)?.value;
  }

  #putEntry(space: SpaceId, id: string, value: JsonObject | undefined): void {
    const before = this.#stored(space, id);
    const words = value === undefined ? 0 : this.#search.place(value, before);
    if (value === undefined) this.#database.run("DELETE FROM entries WHERE space = ? AND id = ?", space, id);
    else {
      this.#database.run(
        `INSERT INTO entries (space, id, place, value, words) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (space, id) DO UPDATE SET place = excluded.place, value = excluded.value, words = excluded.words`,
        space,
        id,
        orderIndex({ order: value["order"] as string, id }),
        JSON.stringify(value),
        words,
      );
    }
    const more = Number(value !== undefined) - Number(before !== undefined);
    if (more !== 0) this.#database.run("UPDATE spaces SET entry_count = entry_count + ? WHERE id = ?", more, space);
    if (before && before.words !== words) this.#search.release(before.words);
  }

  #stored(space: SpaceId, id: string): { value: JsonObject; words: number | null } | undefined {
    const row = this.#database.prepare("SELECT value, words FROM entries WHERE space = ? AND id = ?").get(space, id);
    return row && { value: JSON.parse(row["value"] as string), words: row["words"] as number | null };
  }
}

/** An edit asks for the same entry again and again: whether it is there, what it says, what it said before. */
function rememberLast<V>(read: (key: string) => V): (key: string) => V {
  let last: { readonly key: string; readonly value: V } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: read(key) };
    return last.value;
  };
}

/** Sorts behind every place: keys and ids are ASCII. */
const LAST = "\u007f";

class EntryPlaces implements SortedRows<string> {
  readonly #database: Database;
  readonly #space: SpaceId;
  #size: number | undefined;

  constructor(database: Database, space: SpaceId) {
    this.#database = database;
    this.#space = space;
  }

  get size(): number {
    this.#size ??= Number(
      this.#database.prepare("SELECT entry_count FROM spaces WHERE id = ?").get(this.#space)?.["entry_count"],
    );
    return this.#size;
  }

  get(key: string): string | undefined {
    const row = this.#database.prepare("SELECT id FROM entries WHERE space = ? AND place = ?").get(this.#space, key);
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

  rank(key: string): number {
    return Number(
      this.#database.prepare("SELECT count(*) AS n FROM entries WHERE space = ? AND place < ?").get(this.#space, key)?.[
        "n"
      ],
    );
  }

  *entries(from = ""): IterableIterator<readonly [string, string]> {
    const rows = this.#database
      .prepare("SELECT place, id FROM entries WHERE space = ? AND place >= ? ORDER BY place")
      .all(this.#space, from);
    for (const row of rows) yield [row["place"] as string, row["id"] as string];
  }
}

/** The few records that are not entries. Read together: JavaScript sorts texts otherwise than SQLite does. */
class RecordRows implements SortedRows<JsonObject> {
  readonly #database: Database;
  readonly #space: SpaceId;
  readonly #known = new Map<string, JsonObject | undefined>();

  constructor(database: Database, space: SpaceId) {
    this.#database = database;
    this.#space = space;
  }

  get size(): number {
    return Number(this.#database.prepare("SELECT count(*) AS n FROM records WHERE space = ?").get(this.#space)?.["n"]);
  }

  get(key: string): JsonObject | undefined {
    if (!this.#known.has(key)) this.#known.set(key, this.#read(key));
    return this.#known.get(key);
  }

  at(index: number): readonly [string, JsonObject] | undefined {
    return this.#all()[index];
  }

  rank(key: string): number {
    return this.#all().filter(([id]) => id < key).length;
  }

  *entries(from = ""): IterableIterator<readonly [string, JsonObject]> {
    for (const pair of this.#all()) if (pair[0] >= from) yield pair;
  }

  #read(key: string): JsonObject | undefined {
    const row = this.#database.prepare("SELECT value FROM records WHERE space = ? AND id = ?").get(this.#space, key);
    return row && (JSON.parse(row["value"] as string) as JsonObject);
  }

  #all(): (readonly [string, JsonObject])[] {
    const rows = this.#database.prepare("SELECT id, value FROM records WHERE space = ?").all(this.#space);
    const pairs = rows.map((row) => [row["id"] as string, JSON.parse(row["value"] as string) as JsonObject] as const);
    return pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
