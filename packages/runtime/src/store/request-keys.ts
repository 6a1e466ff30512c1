import type { Database } from "./open-database.ts";

export type Request =
  /** Nobody has used the key; it is taken now. */
  | { readonly kind: "new" }
  | { readonly kind: "answered"; readonly answer: string }
  /** It was begun and not answered: nobody knows how far it came. */
  | { readonly kind: "unanswered" }
  /** The key was used for something else. */
  | { readonly kind: "other" };

/** How long a key is remembered. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** Requests that must not be done twice: what was asked under a key, and what was answered. */
export class RequestKeys {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  begin(key: string, asked: string, now: number): Request {
    return this.#database.transaction(() => {
      this.#database.run("DELETE FROM requests WHERE created_at < ?", now - REMEMBERED_MS);
      const row = this.#database.prepare("SELECT asked, answer FROM requests WHERE key = ?").get(key);
      if (!row) {
        this.#database.run("INSERT INTO requests (key, asked, created_at) VALUES (?, ?, ?)", key, asked, now);
        return { kind: "new" };
      }
      if (row["asked"] !== asked) return { kind: "other" };
      if (row["answer"] === null) return { kind: "unanswered" };
      return { kind: "answered", answer: row["answer"] as string };
    });
  }

  answer(key: string, answer: string): void {
    this.#database.transaction(() => this.#database.run("UPDATE requests SET answer = ? WHERE key = ?", answer, key));
  }

  /** It was not done, so it may be asked again. */
  forget(key: string): void {
    this.#database.transaction(() => this.#database.run("DELETE FROM requests WHERE key = ?", key));
  }
}
