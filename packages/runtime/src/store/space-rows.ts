import { isLater, type JsonObject, orderIndex, type PastSpace, recordsIn, type Space, versionOf } from "@retake/core";
import type { Database } from "@retake/workspace";
import { EntryRows, type FoundRow } from "./entry-rows.ts";
import { type Cut, type Layer, lastPlace, layersOf, type SpaceId } from "./layers.ts";
import { storedKey } from "./record-key.ts";
import { RecordRows } from "./record-rows.ts";
import { SearchIndex } from "./search-index.ts";
import { FEW, SpaceLayers } from "./space-layers.ts";
import { StoredLookup, StoredTable } from "./stored-table.ts";

/** The rows of spaces: reads them as the maps of a state, and writes the changes of an operation. */
export class SpaceRows {
  readonly #database: Database;
  readonly #search: SearchIndex;
  readonly #layers: SpaceLayers;

  constructor(database: Database, few = FEW) {
    this.#database = database;
    this.#search = new SearchIndex(database);
    this.#layers = new SpaceLayers(database, few);
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

  open(id: SpaceId): OpenSpace {
    return new OpenSpace(this.#database, id);
  }

  /** A space in core's form; valid during the transaction in which it is read. */
  space(open: OpenSpace): Space {
    const rows = new EntryRows(this.#database, open);
    return {
      entries: new StoredLookup(rows),
      order: new StoredTable<string>(rows),
      records: new StoredTable(open.records),
    };
  }

  /**
   * Makes a new space for a take, with the past content of another space. A space read from rows becomes a layer over
   * them; any other is written out.
   */
  derive(from: Space, { upto, until }: PastSpace, taker: { readonly thread: string; readonly take: string }): SpaceId {
    const cut: Cut = { upto: upto === undefined ? undefined : lastPlace(upto), until };
    const stored = storedParts(from);
    const space = stored ? this.#layers.branchOff(stored.space, cut, taker) : this.create(taker.thread);
    const open = this.open(space);
    const records = Array.from(
      stored?.changes() ?? recordsIn(from),
      ([local, value]): LocalRecord => [local, value && shows(cut, local, value) ? value : undefined],
    );
    this.put(open, records);
    return space;
  }

  /** Call it after an operation that changed many rows of a space. */
  settle(space: SpaceId): void {
    this.#layers.settle(space);
  }

  /** Writes records of a space, and removes those without a value. */
  put(open: OpenSpace, records: Iterable<LocalRecord>): void {
    const entries = new EntryRows(this.#database, open);
    const newPlace = this.#search.newPlaces(open.id);
    let more = 0;
    for (const [local, value] of records) {
      if (!local.startsWith("entry:")) this.#putRecord(open, local, value);
      else {
        const id = local.slice("entry:".length);
        const before = entries.find(id);
        this.#putEntry(open, { id, value, before }, newPlace);
        more += Number(value !== undefined) - Number(before !== undefined);
      }
    }
    if (more !== 0) this.#database.run("UPDATE spaces SET entry_count = entry_count + ? WHERE id = ?", more, open.id);
  }

  #putRecord(open: OpenSpace, local: string, value: JsonObject | undefined): void {
    if (value !== undefined || this.#isBelow("records", open, storedKey(local))) {
      const text = value === undefined ? null : JSON.stringify(value);
      const version = value && versionOf(local, value);
      const row = "INSERT OR REPLACE INTO records (space, id, version, value) VALUES (?, ?, ?, ?)";
      this.#database.run(
        row,
        open.id,
        storedKey(local),
        Number.isSafeInteger(version) ? (version as number) : null,
        text,
      );
    } else this.#database.run("DELETE FROM records WHERE space = ? AND id = ?", open.id, storedKey(local));
  }

  /** The entry in a row of this space itself. */
  entry(space: SpaceId, id: string): JsonObject | undefined {
    const row = this.#database.prepare("SELECT value FROM entries WHERE space = ? AND id = ?").get(space, id);
    return row?.["value"] ? JSON.parse(row["value"] as string) : undefined;
  }

  #putEntry(open: OpenSpace, { id, value, before }: EntryChange, newPlace: () => number): void {
    const words = value === undefined ? 0 : this.#search.place(value, before && storedEntry(before), newPlace);
    if (value !== undefined || this.#isBelow("entries", open, id)) {
      this.#database.run(
        `INSERT INTO entries (space, id, place, value, words) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (space, id) DO UPDATE SET place = excluded.place, value = excluded.value, words = excluded.words`,
        open.id,
        id,
        value === undefined ? null : orderIndex({ order: value["order"] as string, id }),
        value === undefined ? null : JSON.stringify(value),
        words,
      );
    } else this.#database.run("DELETE FROM entries WHERE space = ? AND id = ?", open.id, id);
    if (before?.space === open.id && before.words !== words) this.#search.release(before.words);
  }

  /** Whether a layer below has a row that a removal must hide. */
  #isBelow(table: "entries" | "records", { layers }: OpenSpace, id: string): boolean {
    if (layers.length === 1) return false;
    const below = layers.slice(1).map(({ space }) => space);
    const spaces = Array(below.length).fill("?").join();
    const row = this.#database.prepare(`SELECT 1 FROM ${table} WHERE space IN (${spaces}) AND id = ? LIMIT 1`);
    return row.get(...below, id) !== undefined;
  }
}

/** The local id of a record, and its value. */
export type LocalRecord = readonly [string, JsonObject | undefined];

interface EntryChange {
  readonly id: string;
  readonly value: JsonObject | undefined;
  readonly before: FoundRow | undefined;
}

/** A space whose layers and records are read once, on first use. */
export class OpenSpace {
  readonly id: SpaceId;
  readonly records: RecordRows;
  readonly #database: Database;
  #layers: readonly Layer[] | undefined;

  constructor(database: Database, id: SpaceId) {
    this.#database = database;
    this.id = id;
    this.records = new RecordRows(database, () => this.layers);
  }

  get layers(): readonly Layer[] {
    this.#layers ??= layersOf(this.#database, this.id);
    return this.#layers;
  }
}

/** The rows that a space is read from, and its differences from them; undefined for a space in memory. */
function storedParts({ entries, records }: Space) {
  if (!(entries instanceof StoredLookup) || !(records instanceof StoredTable)) return undefined;
  const [rows, others] = [entries.rows, records.changes()];
  if (!(rows instanceof EntryRows) || !others) return undefined;
  const changes = function* (): Iterable<LocalRecord> {
    for (const [id, value] of entries.changes()) yield [`entry:${id}`, value];
    yield* others as Iterable<LocalRecord>;
  };
  return { space: rows.space, changes };
}

function shows({ upto, until }: Cut, local: string, value: JsonObject): boolean {
  if (!local.startsWith("entry:")) return until === undefined || !isLater(local, value, until);
  const place = orderIndex({ order: value["order"] as string, id: local.slice("entry:".length) });
  return upto === undefined || place <= upto;
}

function storedEntry({ value, words }: FoundRow): { readonly value: JsonObject; readonly words: number | null } {
  return { value: JSON.parse(value) as JsonObject, words };
}
