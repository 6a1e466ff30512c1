import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { sqliteFailure } from "./sqlite-failure.ts";

/** A connection whose statements are prepared once and whose writes happen in transactions. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, Statement>();
  /** Whether a transaction or a snapshot is open. */
  #inside: "transaction" | "snapshot" | undefined;
  #rollbacks = 0;
  readonly #onClose: (() => void) | undefined;

  constructor(connection: DatabaseSync, file: string, onClose?: () => void) {
    this.#connection = connection;
    this.#file = file;
    this.#onClose = onClose;
  }

  /** Only the modules of `store/` may use it: they hold all SQL. */
  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      const forget = () => this.#statements.delete(sql);
      statement = this.#guarded(() => new Statement(this.#connection.prepare(sql), this.#file, forget));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.prepare(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /**
   * Runs `work` in one transaction: commits and flushes all of it, or nothing. Inside another transaction it joins that
   * one, so that one commit can contain the writes of several modules.
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

  /** Runs `work` as `transaction` does and rolls it back: answers what it would do, or throws what it would throw. */
  rehearse<T>(work: () => T): T {
    if (this.#inside) throw new Error("a part of a transaction or a snapshot cannot be rolled back alone");
    let result: { readonly of: T } | undefined;
    try {
      this.transaction(() => {
        result = { of: work() };
        throw REHEARSED;
      });
    } catch (error) {
      if (error !== REHEARSED || !result) throw error;
    }
    return (result as { readonly of: T }).of;
  }

  /** How many transactions were rolled back: rows read in one of them are not in the store. */
  get rollbacks(): number {
    return this.#rollbacks;
  }

  /**
   * Like `transaction`, but not flushed: the commit survives a kill, but a power loss may undo it until a later flush.
   * For data that can be computed or fetched again. Moving the log into the file would flush it, so that waits until the
   * log is long. Inside another transaction it joins that one.
   */
  unflushed<T>(work: () => T): T {
    if (this.#inside) return this.transaction(work);
    this.#guarded(() => this.#connection.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${LONG_LOG}`));
    try {
      return this.transaction(work);
    } finally {
      this.#connection.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${SHORT_LOG}`);
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
   * Rolls back the open transaction. On a disk failure SQLite may already have rolled back by itself, or fail to: the
   * first error matters, and an error of the rollback must not hide it.
   */
  #rollBack(): void {
    try {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
    } catch (error) {
      if (this.#connection.isTransaction) throw sqliteFailure(error, this.#file);
    }
  }

  /**
   * Keeps up to so much of the file in memory, for as long as the connection is open; by default that is 2 MB. Changed pages
   * that do not fit are written before the commit, and read and written again.
   */
  keepInMemory(kibibytes: number): void {
    this.#connection.exec(`PRAGMA cache_size = -${kibibytes}`);
  }

  /** Returns the space of deleted rows to the file system, except for some pages that will be needed again. */
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
    this.#onClose?.();
  }
}

/** Ends a transaction that was only rehearsed. */
const REHEARSED = new Error("rehearsed");

/** Pages of 4 KB; a commit moves a longer log into the file. The short one is the default of SQLite. */
const SHORT_LOG = 1000;
const LONG_LOG = 8000;

type Values = readonly SQLInputValue[] | readonly [Record<string, SQLInputValue>];

/** A SQLite statement whose errors become StoreErrors. */
class Statement {
  readonly #statement: StatementSync;
  readonly #file: string;
  readonly #forget: () => void;

  constructor(statement: StatementSync, file: string, forget: () => void) {
    this.#statement = statement;
    this.#file = file;
    this.#forget = forget;
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
      // Node does not reset a statement whose iteration failed: its next use would report the same error once more.
      this.#forget();
      throw sqliteFailure(error, this.#file);
    }
  }
}

type Row = Record<string, SQLOutputValue>;
