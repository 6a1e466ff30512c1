import type { Database } from "@retake/workspace";

export interface KeptRequest {
  readonly request: string;
  /** Undefined when the request was begun and not answered: its progress is unknown. */
  readonly answer: string | undefined;
}

/** How long a key is remembered. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** Requests that must not be executed twice: the request and the answer under each key. */
export class RequestKeys {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(key: string, now: number): KeptRequest | undefined {
    const row = this.#database
      .prepare("SELECT asked, answer FROM requests WHERE key = ? AND created_at >= ?")
      .get(key, now - REMEMBERED_MS);
    return row && { request: row["asked"] as string, answer: (row["answer"] ?? undefined) as string | undefined };
  }

  forgetOld(now: number): void {
    this.#database.transaction(() =>
      this.#database.run("DELETE FROM requests WHERE created_at < ?", now - REMEMBERED_MS),
    );
  }

  /** Takes an unused key, and deletes old ones. */
  begin(key: string, request: string, now: number): void {
    this.#database.transaction(() => {
      this.forgetOld(now);
      this.#database.run("INSERT INTO requests (key, asked, created_at) VALUES (?, ?, ?)", key, request, now);
    });
  }

  answer(key: string, answer: string): void {
    this.#database.transaction(() => this.#database.run("UPDATE requests SET answer = ? WHERE key = ?", answer, key));
  }

  /** The request was not executed, or its result is stored elsewhere. */
  forget(key: string): void {
    this.#database.transaction(() => this.#database.run("DELETE FROM requests WHERE key = ?", key));
  }
}
