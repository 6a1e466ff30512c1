import type { JsonObject } from "@retake/core";
import type { Database } from "@retake/workspace";
import type { SpaceId } from "./layers.ts";
import { wordsIn } from "./words-in.ts";

/**
 * Which entries contain which words. A new entry is indexed in the transaction that creates it. A changed entry loses
 * its place, and gets a new one on the next search: text that streams in, or is being typed, changes many times before.
 *
 * The places of a thread are contiguous, in the order in which they were given. So a search that walks along the
 * matches of a word, newest first, can skip the rest of a thread with too many matches.
 */
export class SearchIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The place of an entry in the index: the same as before if its text is the same; NULL until `catchUp`. */
  place(
    value: JsonObject,
    before: { readonly value: JsonObject; readonly words: number | null } | undefined,
    newPlace: () => number,
  ): number | null {
    if (!before) return this.#add(newPlace(), value);
    const same =
      searchedText(before.value) === searchedText(value) &&
      roleToken(before.value["role"]) === roleToken(value["role"]);
    return same ? before.words : null;
  }

  /** Gives the next free places of a thread, by one of its spaces. The rows are read once: nobody else may add some. */
  newPlaces(space: SpaceId): () => number {
    let next: number | undefined;
    return () => {
      const place = next ?? this.#nextPlace(space);
      next = place + 1;
      return place;
    };
  }

  /** Removes a place that no entry uses any more. */
  release(place: number | null): void {
    if (!place || this.#database.prepare("SELECT 1 FROM entries WHERE words = ? LIMIT 1").get(place)) return;
    this.#database.run("DELETE FROM entry_words WHERE rowid = ?", place);
  }

  releaseUnused(): void {
    this.#database.run(
      "DELETE FROM entry_words WHERE rowid NOT IN (SELECT words FROM entries WHERE words IS NOT NULL)",
    );
  }

  /**
   * Indexes some of the entries that changed, that are older than the index, or whose index is being rebuilt. Returns
   * whether more may be left.
   */
  catchUp(): boolean {
    const missing = this.#database.prepare(
      `SELECT rowid AS id, space, value FROM entries WHERE words IS NULL LIMIT ${CAUGHT_UP}`,
    );
    if (missing.all().length === 0) return false;
    return this.#database.transaction(() => {
      const rows = missing.all();
      for (const row of rows) {
        const place = this.#nextPlace(Number(row["space"]));
        this.#add(place, JSON.parse(row["value"] as string) as JsonObject);
        this.#database.run("UPDATE entries SET words = ? WHERE rowid = ?", place, Number(row["id"]));
      }
      return rows.length === CAUGHT_UP;
    });
  }

  #add(place: number, value: JsonObject): number {
    this.#database.run(
      "INSERT INTO entry_words (rowid, words, role) VALUES (?, ?, ?)",
      place,
      wordsIn(searchedText(value)).join(" "),
      roleToken(value["role"]),
    );
    return place;
  }

  #nextPlace(space: SpaceId): number {
    const first = this.#firstPlace(space);
    const last = this.#database
      .prepare("SELECT max(words) AS last FROM entries WHERE words >= ? AND words < ?")
      .get(first, first + PLACES)?.["last"];
    return typeof last === "number" ? last + 1 : first;
  }

  /** A thread is identified by the number of its first space, which stays as long as the thread has rows. */
  #firstPlace(space: SpaceId): number {
    const row = this.#database
      .prepare("SELECT min(id) AS number FROM spaces WHERE thread = (SELECT thread FROM spaces WHERE id = ?)")
      .get(space);
    return Number(row?.["number"]) * PLACES;
  }

  /** Clears the index; `catchUp` rebuilds it. */
  clear(): void {
    this.#database.run("UPDATE entries SET words = NULL WHERE place IS NOT NULL");
    this.#database.run("INSERT INTO entry_words (entry_words) VALUES ('delete-all')");
  }

  /** The matching places before the given one, newest first. */
  *places(expression: string, before: number): Generator<number> {
    const rows = this.#database
      .prepare(
        `SELECT rowid AS place FROM entry_words WHERE entry_words MATCH ? AND rowid < ?
         ORDER BY rowid DESC`,
      )
      .iterate(expression, before);
    for (const row of rows) yield Number(row["place"]);
  }

  /** The first place that matches; `EVERY_PLACE` where none does. */
  firstMatch(expression: string): number {
    const row = this.#database
      .prepare("SELECT rowid AS place FROM entry_words WHERE entry_words MATCH ? ORDER BY rowid LIMIT 1")
      .get(expression);
    return Number(row?.["place"] ?? EVERY_PLACE);
  }

  /** The rows whose entry has a place: one, or several when spaces were copied. */
  at(place: number): IndexedRow[] {
    return this.#database
      .prepare(
        `SELECT space, id AS entry, octet_length(value) AS size, json_extract(value, '$.ts') AS ts
         FROM entries WHERE words = ?`,
      )
      .all(place) as unknown as IndexedRow[];
  }
}

export interface IndexedRow {
  readonly space: SpaceId;
  readonly entry: string;
  readonly size: number;
  readonly ts: string;
}

/** How many entries are indexed in one transaction: few, so that nobody waits long. */
const CAUGHT_UP = 200;

/** How many places are reserved for each thread. */
const PLACES = 2 ** 32;

/** The number of the thread that a place belongs to; see `CataloguedThread`. */
export function threadAt(place: number): number {
  return Math.floor(place / PLACES);
}

/** A value before all places of a thread, and after those of the previous thread. */
export function beforeThread(thread: number): number {
  return thread * PLACES;
}

export const EVERY_PLACE = Number.MAX_SAFE_INTEGER;

/** A role is one word of the index, whatever characters it contains. */
export function roleToken(role: unknown): string {
  return Buffer.from(String(role ?? "").toLowerCase()).toString("hex");
}

/** The searchable text of an entry: its content, and the input of its tool calls. */
export function searchedText(entry: JsonObject): string {
  const pieces = [String(entry["content"] ?? "")];
  const calls = Array.isArray(entry["tool_calls"]) ? entry["tool_calls"] : [];
  for (const call of calls as readonly JsonObject[]) {
    pieces.push(String(call?.["name"] ?? ""));
    for (const value of Object.values((call?.["input"] as JsonObject | undefined) ?? {}))
      if (typeof value === "string") pieces.push(value);
  }
  return pieces.join("\n").trimEnd();
}
