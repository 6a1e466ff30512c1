import { type JsonObject, orderIndex, type Space } from "@retake/core";
import { EntryRows } from "./entry-rows.ts";
import type { Database } from "./open-database.ts";
import { RecordRows } from "./record-rows.ts";
import { SearchIndex } from "./search-index.ts";
import { StoredLookup, StoredTable } from "./stored-table.ts";

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
  space(id: SpaceId, records = new RecordRows(this.#database, id)): Space {
    const rows = new EntryRows(this.#database, id);
    return {
      entries: new StoredLookup((key) => rows.value(key), rows),
      order: new StoredTable<string>(rows),
      records: new StoredTable<JsonObject>(records),
    };
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

/** Sorts behind every place: keys and ids are ASCII. */
const LAST = "\u007f";
