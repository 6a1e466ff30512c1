import { type JsonObject, orderIndex, type Space } from "@retake/core";
import type { Database } from "./open-database.ts";
import { type SortedRows, StoredLookup, StoredTable } from "./stored-table.ts";

export type SpaceId = number;

/** The rows of spaces: reading them as the maps of a state, and writing what an operation changed. */
export class SpaceRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  create(thread: string): SpaceId {
    return this.#database.run("INSERT INTO spaces (thread) VALUES (?)", thread).id;
  }

  /** A space as the core sees it; good for the transaction it is read in. */
  space(id: SpaceId): Space {
    const places = new EntryPlaces(this.#database, id);
    return {
      entries: new StoredLookup((key) => this.#entry(id, key), places.size),
      order: new StoredTable<string>(places),
      records: this.records(id),
    };
  }

  records(id: SpaceId): StoredTable<JsonObject> {
    return new StoredTable<JsonObject>(new RecordRows(this.#database, id));
  }

  put(space: SpaceId, local: string, value: JsonObject | undefined): void {
    const entry = local.startsWith("entry:") ? local.slice("entry:".length) : undefined;
    if (value === undefined) {
      if (entry === undefined) this.#database.run("DELETE FROM records WHERE space = ? AND id = ?", space, local);
      else this.#database.run("DELETE FROM entries WHERE space = ? AND id = ?", space, entry);
      return;
    }
    const text = JSON.stringify(value);
    if (entry === undefined) {
      this.#database.run("INSERT OR REPLACE INTO records (space, id, value) VALUES (?, ?, ?)", space, local, text);
      return;
    }
    const place = orderIndex({ order: value["order"] as string, id: entry });
    this.#database.run(
      "INSERT OR REPLACE INTO entries (space, id, place, value) VALUES (?, ?, ?, ?)",
      space,
      entry,
      place,
      text,
    );
  }

  /** Copies the entries of a space; with `upto`, without those ordered behind that key. */
  copyEntries(from: SpaceId, to: SpaceId, upto: string | undefined): void {
    const last = upto === undefined ? LAST : `${upto} ${LAST}`;
    this.#database.run(
      "INSERT INTO entries (space, id, place, value) SELECT ?, id, place, value FROM entries WHERE space = ? AND place <= ?",
      to,
      from,
      last,
    );
  }

  #entry(space: SpaceId, id: string): JsonObject | undefined {
    const row = this.#database.prepare("SELECT value FROM entries WHERE space = ? AND id = ?").get(space, id);
    return row && (JSON.parse(row["value"] as string) as JsonObject);
  }
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
      this.#database.prepare("SELECT count(*) AS n FROM entries WHERE space = ?").get(this.#space)?.["n"],
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

  constructor(database: Database, space: SpaceId) {
    this.#database = database;
    this.#space = space;
  }

  get size(): number {
    return Number(this.#database.prepare("SELECT count(*) AS n FROM records WHERE space = ?").get(this.#space)?.["n"]);
  }

  get(key: string): JsonObject | undefined {
    const row = this.#database.prepare("SELECT value FROM records WHERE space = ? AND id = ?").get(this.#space, key);
    return row && (JSON.parse(row["value"] as string) as JsonObject);
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

  #all(): (readonly [string, JsonObject])[] {
    const rows = this.#database.prepare("SELECT id, value FROM records WHERE space = ?").all(this.#space);
    const pairs = rows.map((row) => [row["id"] as string, JSON.parse(row["value"] as string) as JsonObject] as const);
    return pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
