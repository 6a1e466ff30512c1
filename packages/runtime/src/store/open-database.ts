import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { migrate, requireKnownSchema, schemaVersion } from "./migrations.ts";
import { ownFile } from "./own-file.ts";
import { sqliteFailure } from "./sqlite-failure.ts";
import { StoreError } from "./store-error.ts";

/** Older ones can lose a commit when two connections write to a WAL database. */
const oldestSqlite = [3, 51, 3] as const;

/**
 * Opens the store's database, creating or migrating it. Every setting here is a property of the
 * connection, not of the file: a WAL database that is reopened without them silently commits
 * without flushing.
 */
export function openDatabase(file: string): Database {
  let connection: DatabaseSync;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Nobody else's from the first moment on; the files that SQLite puts beside it take its mode.
    if (file !== ":memory:") ownFile(file);
    connection = new DatabaseSync(file, { timeout: 10_000, enableForeignKeyConstraints: true });
  } catch (cause) {
    throw unopenable(file, cause);
  }
  try {
    const version = connection.prepare("SELECT sqlite_version() AS version").get()?.["version"];
    requireSqlite(String(version));
    // Before any setting, which could write to the file.
    requireKnownSchema(connection, file);
    // Only where it has an effect, before the first table: it writes to the file each time, and so flushes it.
    if (schemaVersion(connection) === 0) connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    migrate(connection, file);
  } catch (error) {
    connection.close();
    throw sqliteFailure(error, file);
  }
  return new Database(connection, file);
}

/** `cause` is what the file system says. */
function unopenable(file: string, cause: unknown): StoreError {
  const { code = "", message = "" } = cause as { code?: string; message?: string };
  const why: Readonly<Record<string, string>> = {
    EACCES: "You may not write there",
    EPERM: "You may not write there",
    EROFS: "It is on a disk that cannot be written",
    ENOSPC: "The disk is full",
    EISDIR: "It is a directory",
    EEXIST: "A file is where its directory should be",
    ENOTDIR: "A file is where its directory should be",
  };
  const reason = why[code] ?? message.replace(/[. ]*$/, "");
  return new StoreError(
    code === "ENOSPC" ? "disk-full" : "unopenable",
    `The store ${file} cannot be opened. ${reason}. Nothing was changed. RETAKE_HOME can name another place.`,
    { cause },
  );
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
  readonly #file: string;
  readonly #statements = new Map<string, Statement>();
  /** Which of the two is going on. */
  #inside: "transaction" | "snapshot" | undefined;
  #rollbacks = 0;

  constructor(connection: DatabaseSync, file: string) {
    this.#connection = connection;
    this.#file = file;
  }

  /** For the modules of `store/`: the only place that holds SQL. */
  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#guarded(() => new Statement(this.#connection.prepare(sql), this.#file));
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
    this.#guarded(() => this.#connection.exec("BEGIN IMMEDIATE"));
    this.#inside = "transaction";
    try {
      const result = work();
      this.#guarded(() => this.#connection.exec("COMMIT"));
      return result;
    } catch (error) {
      this.#rollbacks += 1;
      this.#rollBack();
      throw error;
    } finally {
      this.#inside = undefined;
    }
  }

  /** How many transactions came to nothing: what was read in one of them is not in the store. */
  get rollbacks(): number {
    return this.#rollbacks;
  }

  /**
   * As `transaction`, but not flushed: a kill does not take it, a power loss may, unless something was flushed since. For
   * what can be found out again. Inside another transaction it joins that one.
   */
  unflushed<T>(work: () => T): T {
    if (this.#inside) return this.transaction(work);
    this.#guarded(() => this.#connection.exec("PRAGMA synchronous = NORMAL"));
    try {
      return this.transaction(work);
    } finally {
      this.#connection.exec("PRAGMA synchronous = FULL");
    }
  }

  /** Runs `work` as a transaction would, and keeps nothing of it. */
  rehearse<T>(work: () => T): T {
    if (this.#inside) throw new Error("a rehearsal would take back what it is part of");
    this.#guarded(() => this.#connection.exec("BEGIN IMMEDIATE"));
    this.#inside = "transaction";
    try {
      return work();
    } finally {
      this.#inside = undefined;
      this.#rollbacks += 1;
      this.#rollBack();
    }
  }

  /** Runs `look` on the store as it is at one moment, whatever others commit meanwhile. Never waits for a writer. */
  snapshot<T>(look: () => T): T {
    if (this.#inside) return look();
    this.#guarded(() => this.#connection.exec("BEGIN"));
    this.#inside = "snapshot";
    try {
      return look();
    } finally {
      this.#inside = undefined;
      this.#rollBack();
    }
  }

  /**
   * Ends what is going on. A disk that fails makes SQLite end it by itself, before or while it is told to: what counts is
   * what came before, which an error of the rollback would hide.
   */
  #rollBack(): void {
    try {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
    } catch (error) {
      if (this.#connection.isTransaction) throw sqliteFailure(error, this.#file);
    }
  }

  /** Gives the space of deleted rows back to the file system, but for some that will be needed again. */
  shrink(pagesToKeep: number): void {
    const free = Number(this.#connection.prepare("PRAGMA freelist_count").get()?.["freelist_count"]);
    if (free > pagesToKeep) this.#connection.exec(`PRAGMA incremental_vacuum(${free - pagesToKeep})`);
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteFailure(error, this.#file);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}

type Values = readonly SQLInputValue[] | readonly [Record<string, SQLInputValue>];

/** A statement of SQLite whose errors are the store's. */
class Statement {
  readonly #statement: StatementSync;
  readonly #file: string;

  constructor(statement: StatementSync, file: string) {
    this.#statement = statement;
    this.#file = file;
  }

  get(...values: Values): Row | undefined {
    try {
      return this.#statement.get(...(values as SQLInputValue[]));
    } catch (error) {
      throw sqliteFailure(error, this.#file);
    }
  }

  all(...values: Values): Row[] {
    try {
      return this.#statement.all(...(values as SQLInputValue[]));
    } catch (error) {
      throw sqliteFailure(error, this.#file);
    }
  }

  run(...values: Values): ReturnType<StatementSync["run"]> {
    try {
      return this.#statement.run(...(values as SQLInputValue[]));
    } catch (error) {
      throw sqliteFailure(error, this.#file);
    }
  }

  *iterate(...values: Values): Generator<Row> {
    try {
      yield* this.#statement.iterate(...(values as SQLInputValue[])) as Iterable<Row>;
    } catch (error) {
      throw sqliteFailure(error, this.#file);
    }
  }
}

type Row = Record<string, SQLOutputValue>;
