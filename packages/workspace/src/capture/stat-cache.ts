import type { Database } from "../database/database.ts";
import type { CaptureId } from "../model/model.ts";

/** What is known of the rows as a whole. */
export interface CacheFacts {
  /** The rules that they were made by. */
  readonly rules: string | undefined;
  /** The capture that has the same files; undefined where they are the work of several processes. */
  readonly capture: CaptureId | undefined;
  /** How often they were saved. Undefined for who saved its own without having read those of another. */
  readonly version: number | undefined;
}

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

  get facts(): CacheFacts {
    const row = this.#database
      .prepare(
        `SELECT rules, cache_version, (SELECT name FROM captures WHERE id = cached_capture) AS capture
         FROM workspaces WHERE id = ?`,
      )
      .get(this.#workspace);
    return {
      rules: (row?.["rules"] as string | null) ?? undefined,
      capture: (row?.["capture"] as CaptureId | null) ?? undefined,
      version: Number(row?.["cache_version"]),
    };
  }

  /**
   * Saves the rows that are other than in `known`, which are then, with all the rest, `now`'s. Answers what is known
   * afterwards. Not flushed: after a power loss more is looked at, and no more than that.
   */
  save(
    known: CacheFacts,
    now: Pick<CacheFacts, "capture" | "rules">,
    rows: Iterable<{ directory: string; entries: Uint8Array | undefined }>,
  ): CacheFacts {
    return this.#database.unflushed(() => {
      const version = this.facts.version ?? 0;
      const alone = version === known.version;
      const capture = alone ? now.capture : undefined;
      this.#database.run(
        `UPDATE workspaces SET rules = ?, cached_capture = (SELECT id FROM captures WHERE name = ?), cache_version = ?
         WHERE id = ?`,
        ...[now.rules ?? null, capture ?? null, version + 1, this.#workspace],
      );
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
      return { rules: now.rules, capture, version: alone ? version + 1 : undefined };
    });
  }
}
