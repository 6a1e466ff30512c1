import type { Database } from "../database/database.ts";
import type { Hash } from "../model/model.ts";
import type { Action } from "./plan-restore.ts";

/** Restores that have begun and may not have ended: one row each, written before the first file changes. */
export class RestoreJournal {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Needed only for a stage in a place where recovery would not look. `begin` overwrites the row. */
  announce(entry: JournalEntry): void {
    this.#write("staging", { ...entry, actions: [] });
  }

  /** Must run inside the transaction that commits the restore. */
  begin(entry: JournalEntry): void {
    this.#write("applying", entry);
  }

  /**
   * Every file is in place, and the stage may be removed. Not flushed: after a power loss recovery examines the content
   * anyway. The plan keeps its length, so that SQLite writes one of its pages, and not the whole plan again.
   */
  applied(id: string): void {
    this.#database.unflushed(() =>
      this.#database.run("UPDATE restores SET plan = ?1 || substr(plan, length(?1) + 1) WHERE id = ?2", APPLIED, id),
    );
  }

  unfinished(root: string): Unfinished[] {
    const rows = this.#database
      .prepare("SELECT id, state, plan FROM restores WHERE root = ? AND state <> 'done' ORDER BY rowid")
      .all(Buffer.from(root, "latin1"));
    return rows.map((row) => {
      const plan: StoredPlan = JSON.parse(String(row["plan"]));
      const state = row["state"] === "staging" ? "staging" : plan.applied ? "applied" : "applying";
      return { id: String(row["id"]), root, state, ...plan };
    });
  }

  hasUnfinished(root: string): boolean {
    const find = this.#database.prepare("SELECT 1 FROM restores WHERE root = ? AND state <> 'done' LIMIT 1");
    return find.get(Buffer.from(root, "latin1")) !== undefined;
  }

  /** Whether a committed restore has not put every file in place: some are old, and some are new. */
  isApplying(root: string): boolean {
    const find = this.#database.prepare(
      "SELECT 1 FROM restores WHERE root = ? AND state <> 'done' AND state <> 'staging' AND NOT coalesce(plan ->> '$.applied', 0)",
    );
    return find.get(Buffer.from(root, "latin1")) !== undefined;
  }

  /** The workspaces with an unfinished restore, as bytes. */
  unfinishedRoots(): string[] {
    const rows = this.#database.prepare("SELECT DISTINCT root FROM restores WHERE state <> 'done'").all();
    return rows.map((row) => Buffer.from(row["root"] as Uint8Array).toString("latin1"));
  }

  /** Durable before the file it names is moved. */
  displace(id: string, displaced: Displaced): void {
    this.#database.run(
      "UPDATE restores SET displaced = json_insert(displaced, '$[#]', json(?)) WHERE id = ?",
      JSON.stringify(displaced),
      id,
    );
  }

  displaced(id: string): Displaced[] {
    const row = this.#database.prepare("SELECT displaced FROM restores WHERE id = ?").get(id);
    return row ? JSON.parse(String(row["displaced"])) : [];
  }

  finish(id: string): void {
    this.#database.transaction(() => {
      this.#database.run("UPDATE restores SET state = 'done', plan = '' WHERE id = ?", id);
      this.#database.run("DELETE FROM restores WHERE id = ? AND displaced = '[]'", id);
    });
  }

  /** Reverses `announce`. */
  withdraw(id: string): void {
    this.#database.run("DELETE FROM restores WHERE id = ? AND state = 'staging'", id);
  }

  /** Objects that gc must keep: the content of files still to be restored, and everything displaced. */
  *objects(): Generator<Hash> {
    for (const row of this.#database.prepare("SELECT plan, displaced FROM restores").all()) {
      const displaced: Displaced[] = JSON.parse(String(row["displaced"]));
      for (const { hash } of displaced) yield hash;
      if (row["plan"] === "") continue;
      const plan: StoredPlan = JSON.parse(String(row["plan"]));
      for (const { before, after } of plan.actions) {
        if (before && before.kind !== "directory") yield before.hash;
        if (after && after.kind !== "directory") yield after.hash;
      }
    }
  }

  #write(state: "staging" | "applying", { id, root, homes, actions, boot }: JournalEntry): void {
    this.#database.run(
      `INSERT INTO restores (id, root, state, plan) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, plan = excluded.plan`,
      id,
      Buffer.from(root, "latin1"),
      state,
      JSON.stringify({ applied: 0, boot, homes, actions } satisfies StoredPlan),
    );
  }
}

export interface JournalEntry {
  readonly id: string;
  /** The workspace, as bytes. */
  readonly root: string;
  /** The directories, as BytePaths, that hold a stage; the root is "". */
  readonly homes: readonly string[];
  readonly actions: readonly StagedAction[];
  /** The boot in which it began: see `bootId`. */
  readonly boot: string;
}

export type Unfinished = JournalEntry & { readonly state: "staging" | "applying" | "applied" };

/** `home`: which of the homes holds the stage for this path. */
export type StagedAction = Action & { readonly home: number };

/** Content found at `path` that differs from the state that the plan saw. */
export interface Displaced {
  readonly path: string;
  readonly hash: Hash;
}

/** `applied` is first and always as long, so that it can be replaced in place. */
type StoredPlan = { readonly applied?: 0 | 1 } & Pick<JournalEntry, "boot" | "homes" | "actions">;

/** The beginning of a stored plan whose files are in place. */
const APPLIED = '{"applied":1';
