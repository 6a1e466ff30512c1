import type { JsonObject } from "@retake/core";
import type { Database } from "@retake/workspace";
import { wordsIn } from "../search/words-in.ts";

/**
 * Which entries hold which words. A new entry is indexed in the transaction that makes it. One that changes loses its place
 * there, and gets another when somebody searches: text that streams in, or is being typed, changes many times before.
 */
export class SearchIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The place in the index of an entry's words: the one they had, where they are the same; NULL until `catchUp`. */
  place(value: JsonObject, before?: { readonly value: JsonObject; readonly words: number | null }): number | null {
    if (!before) return this.#add(searchedText(value));
    return searchedText(before.value) === searchedText(value) ? before.words : null;
  }

  /** Takes words out that no entry has any more. */
  release(place: number | null): void {
    if (!place || this.#database.prepare("SELECT 1 FROM entries WHERE words = ? LIMIT 1").get(place)) return;
    this.#database.run("DELETE FROM entry_words WHERE rowid = ?", place);
  }

  releaseUnused(): void {
    this.#database.run(
      "DELETE FROM entry_words WHERE rowid NOT IN (SELECT words FROM entries WHERE words IS NOT NULL)",
    );
  }

  /** Entries that changed, of a store from before there was an index, or whose index is to be made anew. */
  catchUp(): void {
    const missing = "SELECT rowid AS id, value FROM entries WHERE words IS NULL LIMIT 1000";
    while (this.#database.prepare(missing).all().length > 0) {
      this.#database.transaction(() => {
        for (const row of this.#database.prepare(missing).all()) {
          const place = this.#add(searchedText(JSON.parse(row["value"] as string) as JsonObject));
          this.#database.run("UPDATE entries SET words = ? WHERE rowid = ?", place, Number(row["id"]));
        }
      });
    }
  }

  #add(text: string): number {
    const words = wordsIn(text);
    if (words.length === 0) return 0;
    return this.#database.run("INSERT INTO entry_words (words) VALUES (?)", words.join(" ")).id;
  }

  /** Forgets everything; `catchUp` makes it anew. */
  clear(): void {
    this.#database.run("UPDATE entries SET words = NULL WHERE place IS NOT NULL");
    this.#database.run("INSERT INTO entry_words (entry_words) VALUES ('delete-all')");
  }

  /** Entries, of all spaces, whose words match; the best first. Without an expression, all that the rest allows. */
  *find(expression: string | undefined, only: EntryFilter): Generator<FoundEntry> {
    const conditions = [
      ...(expression === undefined ? ["entries.place IS NOT NULL"] : []),
      ...(only.role === undefined ? [] : ["lower(json_extract(entries.value, '$.role')) = lower(:role)"]),
      ...(only.since === undefined ? [] : ["json_extract(entries.value, '$.ts') >= :since"]),
      ...(only.until === undefined ? [] : ["json_extract(entries.value, '$.ts') <= :until"]),
    ];
    const [from, rank] =
      expression === undefined
        ? ["entries", "0"]
        : ["entry_words CROSS JOIN entries ON entries.words = entry_words.rowid", "bm25(entry_words)"];
    if (expression !== undefined) conditions.unshift("entry_words MATCH :expression");
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const given = Object.entries({ expression, ...only }).filter(([, value]) => value !== undefined);
    const rows = this.#database
      .prepare(`SELECT entries.space, entries.id, ${rank} AS rank FROM ${from} ${where} ORDER BY rank, entries.place`)
      .iterate(Object.fromEntries(given) as Record<string, string>);
    for (const row of rows)
      yield { space: Number(row["space"]), entry: row["id"] as string, rank: Number(row["rank"]) };
  }
}

export interface EntryFilter {
  readonly role?: string | undefined;
  /** ISO 8601, both included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface FoundEntry {
  readonly space: number;
  readonly entry: string;
  /** Lower is better. */
  readonly rank: number;
}

/** What is searched of an entry: what it says, and what it called tools with. */
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
