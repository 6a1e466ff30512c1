import type { JsonObject } from "@retake/core";
import type { Database } from "./open-database.ts";
import type { SortedRows } from "./stored-table.ts";

/** Records that are remembered: the few that every change asks for, and not all turns of a long history. */
const MOST = 100;

/** The few records that are not entries. Read together: JavaScript sorts texts otherwise than SQLite does. */
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
