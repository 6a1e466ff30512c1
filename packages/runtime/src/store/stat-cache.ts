import type { Database } from "./open-database.ts";

/** A workspace's directories as they were last read. Losing it costs time and nothing else. */
export class StatCache {
  readonly #database: Database;
  readonly #workspace: number;

  constructor(database: Database, workspace: number) {
    this.#database = database;
    this.#workspace = workspace;
  }

  *rows(): Iterable<{ directory: string; entries: Uint8Array }> {
    const rows = this.#database
      .prepare("SELECT directory, entries FROM stat_cache WHERE workspace = ?")
      .iterate(this.#workspace);
    for (const row of rows) {
      const directory = Buffer.from(row["directory"] as Uint8Array).toString("latin1");
      yield { directory, entries: row["entries"] as Uint8Array };
    }
  }

  /** The rules that the rows were made by, as they were given to `save`. */
  get rules(): string | undefined {
    const row = this.#database.prepare("SELECT rules FROM workspaces WHERE id = ?").get(this.#workspace);
    return (row?.["rules"] as string | null) ?? undefined;
  }

  /** Not flushed: after a power loss more is looked at, and no more than that. */
  save(rules: string, rows: Iterable<{ directory: string; entries: Uint8Array | undefined }>): void {
    this.#database.unflushed(() => {
      this.#database.run("UPDATE workspaces SET rules = ? WHERE id = ?", rules, this.#workspace);
      for (const { directory, entries } of rows) {
        const key = Buffer.from(directory, "latin1");
        if (!entries) {
          this.#database.run("DELETE FROM stat_cache WHERE workspace = ? AND directory = ?", this.#workspace, key);
          continue;
        }
        this.#database.run(
          "INSERT OR REPLACE INTO stat_cache (workspace, directory, entries) VALUES (?, ?, ?)",
          this.#workspace,
          key,
          entries,
        );
      }
    });
  }
}
