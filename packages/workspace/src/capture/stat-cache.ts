import type { Database } from "../database/database.ts";
import type { CaptureId } from "../model/model.ts";

/** Facts about all rows together. */
export interface CacheFacts {
  /** The ignore rules and limits that were applied. */
  readonly rules: string | undefined;
  /** The capture with the same files; undefined when several processes wrote the rows. */
  readonly capture: CaptureId | undefined;
  /** How often the rows were saved. Undefined when a process saved its own rows without reading those of another. */
  readonly version: number | undefined;
}

/** A workspace's directories as they were last read. Losing it only costs time. */
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
   * Saves the rows that differ from `known`; all rows then belong to `now`. Returns the facts afterwards. Not flushed:
   * after a power loss the next scan only has to read more.
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
