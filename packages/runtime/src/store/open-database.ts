import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { migrate, schemaVersion } from "./migrations.ts";
import { StoreError } from "./store-error.ts";

/** Older ones can lose a commit when two connections write to a WAL database. */
const oldestSqlite = [3, 51, 3] as const;

/**
 * Opens the store's database, creating or migrating it. Every setting here is a property of the
 * connection, not of the file: a WAL database that is reopened without them silently commits
 * without flushing.
 */
export function openDatabase(file: string): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  let connection: DatabaseSync;
  try {
    // Nobody else's from the first moment on; the files that SQLite puts beside it take its mode.
    if (file !== ":memory:") closeSync(openSync(file, "a", 0o600));
    connection = new DatabaseSync(file, { timeout: 10_000, enableForeignKeyConstraints: true });
  } catch (cause) {
    throw new StoreError("unopenable", `The store ${file} cannot be opened. Nothing was changed.`, { cause });
  }
  try {
    const version = connection.prepare("SELECT sqlite_version() AS version").get()?.["version"];
    requireSqlite(String(version));
    // Only where it has an effect, before the first table: it writes to the file each time, and so flushes it.
    if (schemaVersion(connection) === 0) connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    migrate(connection, file);
  } catch (error) {
    connection.close();
    throw error;
  }
  return new Database(connection);
}

export function requireSqlite(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor, oldestPatch] = oldestSqlite;
  if ((major - oldestMajor || minor - oldestMinor || patch - oldestPatch) >= 0) return;
  throw new StoreError(
    "sqlite-too-old",
    `SQLite ${version} can lose commits; ${oldestSqlite.join(".")} or newer is needed. Nothing was opened. Use a newer Node.`,
  );
}

/** A connection whose statements are prepared once and whose writes happen in transactions. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Which of the two is going on. */
  #inside: "transaction" | "snapshot" | undefined;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  /** For the modules of `store/`: the only place that holds SQL. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.prepare(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /**
   * Runs `work` in one transaction: all of it is kept, flushed, or none. Inside another
   * transaction it joins that one, so that one commit can carry what several modules write.
   */
  transaction<T>(work: () => T): T {
    if (this.#inside === "transaction") return work();
    if (this.#inside) throw new Error("a change inside a snapshot would be lost with it");
    this.#connection.exec("BEGIN IMMEDIATE");
    this.#inside = "transaction";
    try {
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      // A full disk makes SQLite roll back by itself; a second ROLLBACK would hide the cause.
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    } finally {
      this.#inside = undefined;
    }
  }

  /** Runs `look` on the store as it is at one moment, whatever others commit meanwhile. Never waits for a writer. */
  snapshot<T>(look: () => T): T {
    if (this.#inside) return look();
    this.#connection.exec("BEGIN");
    this.#inside = "snapshot";
    try {
      return look();
    } finally {
      this.#inside = undefined;
      this.#connection.exec("ROLLBACK");
    }
  }

  /** Gives the space of deleted rows back to the file system, but for some that will be needed again. */
  shrink(pagesToKeep: number): void {
    const free = Number(this.#connection.prepare("PRAGMA freelist_count").get()?.["freelist_count"]);
    if (free > pagesToKeep) this.#connection.exec(`PRAGMA incremental_vacuum(${free - pagesToKeep})`);
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}
