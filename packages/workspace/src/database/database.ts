import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { sqliteFailure } from "./sqlite-failure.ts";

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
