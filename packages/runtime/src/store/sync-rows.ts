import type { OperationId } from "@retake/core";
import { NEW_THREAD, NEW_VAULT, type ThreadSync, type VaultSync } from "@retake/core/sync";
import type { Database } from "@retake/workspace";
import type { StoredOperation } from "./stored-operations.ts";

/** The sync of a thread on this device. */
export interface SyncedThread {
  readonly state: ThreadSync;
  /** Encrypted for this device; absent until the server has named it or this device has made it. */
  readonly key: string | undefined;
  /** When all of it was last known to be on the server. */
  readonly synced_at: number | undefined;
}

/** The rows of sync: its state, the outbox, and which trees the server has. Callers choose the transactions. */
export class SyncRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  vault(): VaultSync {
    const row = this.#database.prepare("SELECT state FROM sync_vault").get();
    return row ? (JSON.parse(String(row["state"])) as VaultSync) : NEW_VAULT;
  }

  /** Nothing is written, and so nothing flushed, when it is the same. */
  setVault(state: VaultSync): void {
    this.#database.run(
      `INSERT INTO sync_vault (one, state) VALUES (1, ?)
       ON CONFLICT (one) DO UPDATE SET state = excluded.state WHERE state <> excluded.state`,
      JSON.stringify(state),
    );
  }

  threads(): ReadonlyMap<string, SyncedThread> {
    const rows = this.#database.prepare("SELECT thread, state, key, synced_at FROM sync_threads").all();
    return new Map(rows.map((row) => [String(row["thread"]), syncedThread(row)]));
  }

  thread(id: string): SyncedThread {
    const row = this.#database.prepare("SELECT state, key, synced_at FROM sync_threads WHERE thread = ?").get(id);
    return row ? syncedThread(row) : { state: NEW_THREAD, key: undefined, synced_at: undefined };
  }

  /** As `setVault`. */
  setThread(id: string, state: ThreadSync): void {
    this.#database.run(
      `INSERT INTO sync_threads (thread, state) VALUES (?, ?)
       ON CONFLICT (thread) DO UPDATE SET state = excluded.state WHERE state <> excluded.state`,
      id,
      JSON.stringify(state),
    );
  }

  /** Notes which tree the files on disk have before a pull moves the take on, unless that is noted already. */
  noteFilesHere(id: string, tree: string): void {
    const { state } = this.thread(id);
    if (state.files_here === undefined) this.setThread(id, { ...state, files_here: tree });
  }

  /** The files on disk are those of the take again. */
  forgetFilesHere(id: string): void {
    const { files_here, ...state } = this.thread(id).state;
    if (files_here !== undefined) this.setThread(id, state);
  }

  /** The trees of files that pulls have left on disk: bringing a thread's files here begins at its tree. */
  everyFilesHere(): string[] {
    return [...this.threads().values()].flatMap(({ state }) => state.files_here ?? []);
  }

  setKey(id: string, key: string): void {
    this.#database.run("UPDATE sync_threads SET key = ? WHERE thread = ?", key, id);
  }

  setSynced(id: string, at: number): void {
    this.#database.run("UPDATE sync_threads SET synced_at = ? WHERE thread = ?", at, id);
  }

  /** Another number whenever another connection has committed something: as long as it is the same, nothing was added. */
  othersVersion(): number {
    return Number(this.#database.prepare("PRAGMA data_version").get()?.["data_version"]);
  }

  /** The number of operations that the server has not confirmed, of each thread that has some. */
  pending(): ReadonlyMap<string, number> {
    const rows = this.#database.prepare("SELECT thread, count(*) AS count FROM outbox GROUP BY thread").all();
    return new Map(rows.map((row) => [String(row["thread"]), Number(row["count"])]));
  }

  isPending(thread: string): boolean {
    return this.#database.prepare("SELECT 1 FROM outbox WHERE thread = ? LIMIT 1").get(thread) !== undefined;
  }

  /**
   * The operations that the server has not confirmed, parents before their children: the rows of a thread are in the order of
   * its operations. No more are read than are taken, however many wait.
   */
  *outbox(thread: string): Generator<StoredOperation> {
    const waiting = this.#database.prepare(
      `SELECT id, lower(hex(hash)) AS hash, body FROM outbox CROSS JOIN operations ON id = operation
       WHERE outbox.thread = ? ORDER BY outbox.rowid`,
    );
    for (const row of waiting.iterate(thread))
      yield { id: String(row["id"]), hash: String(row["hash"]), body: String(row["body"]) };
  }

  /** The hash and the version of an operation of a thread. */
  known(thread: string, id: OperationId): { readonly hash: string; readonly version: number } | undefined {
    const row = this.#database
      .prepare("SELECT lower(hex(hash)) AS hash, version FROM operations WHERE id = ? AND thread = ?")
      .get(id, thread);
    return row && { hash: String(row["hash"]), version: Number(row["version"]) };
  }

  confirm(operations: readonly OperationId[]): void {
    const named = "(SELECT value FROM json_each(?))";
    this.#database.run(`DELETE FROM outbox WHERE operation IN ${named}`, JSON.stringify(operations));
  }

  /** Everything of the thread is to be sent again, with its trees. */
  requeue(thread: string): void {
    this.#database.run("DELETE FROM outbox WHERE thread = ?", thread);
    this.#database.run(`${QUEUE} WHERE thread = ? ORDER BY sequence`, thread);
    this.#database.run("DELETE FROM sync_trees WHERE thread = ?", thread);
  }

  hasTree(thread: string, tree: string): boolean {
    const row = this.#database.prepare("SELECT 1 FROM sync_trees WHERE thread = ? AND tree = ?").get(thread, tree);
    return row !== undefined;
  }

  addTree(thread: string, tree: string): void {
    this.#database.run("INSERT OR IGNORE INTO sync_trees (thread, tree) VALUES (?, ?)", thread, tree);
  }

  /** The last tree that the server has and that is still captured here. */
  lastTree(thread: string): string | undefined {
    const any = this.#database.prepare("SELECT 1 FROM sync_trees WHERE thread = ? LIMIT 1");
    if (any.get(thread) === undefined) return undefined;
    // Backwards from the newest of all threads: the index would find all trees of this one first, and sort them.
    const row = this.#database
      .prepare(
        `SELECT tree FROM sync_trees AS sent NOT INDEXED
         WHERE thread = ? AND EXISTS (SELECT 1 FROM captures WHERE name = sent.tree) ORDER BY id DESC LIMIT 1`,
      )
      .get(thread);
    return row && String(row["tree"]);
  }

  /** The last tree of each thread that the server has: the next one is sent as the changes since it. */
  lastTrees(): string[] {
    const last = "SELECT tree FROM sync_trees WHERE id IN (SELECT max(id) FROM sync_trees GROUP BY thread)";
    return this.#database
      .prepare(last)
      .all()
      .map((row) => String(row["tree"]));
  }

  noteAbsent(hash: string): void {
    this.#database.run("INSERT OR IGNORE INTO absent_contents (hash) VALUES (?)", hash);
  }

  isAbsent(hash: string): boolean {
    return this.#database.prepare("SELECT 1 FROM absent_contents WHERE hash = ?").get(hash) !== undefined;
  }

  /** Forgets the vault. Every operation is to be sent to the next one. Which files are here is no fact of a vault. */
  clear(): void {
    this.#database.transaction(() => {
      const threads = this.threads();
      for (const table of ["sync_vault", "sync_threads", "sync_trees"]) this.#database.run(`DELETE FROM ${table}`);
      for (const [id, { state }] of threads)
        if (state.files_here !== undefined) this.noteFilesHere(id, state.files_here);
      this.#database.run("DELETE FROM outbox");
      this.#database.run(`${QUEUE} ORDER BY sequence`);
    });
  }
}

const QUEUE = "INSERT INTO outbox (operation, thread) SELECT id, thread FROM operations";

function syncedThread(row: Readonly<Record<string, unknown>>): SyncedThread {
  return {
    state: JSON.parse(String(row["state"])) as ThreadSync,
    key: (row["key"] as string | null) ?? undefined,
    synced_at: row["synced_at"] === null ? undefined : Number(row["synced_at"]),
  };
}
