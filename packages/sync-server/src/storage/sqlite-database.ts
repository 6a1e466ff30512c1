import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { createTables, SCHEMA_VERSION } from "./schema.ts";
import type { Sql, SqlDatabase, SqlValue } from "./sql-database.ts";

/** One file, for a server on one machine. */
export class SqliteDatabase implements SqlDatabase {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Transactions run one after the other: there is one connection. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.#connection = new DatabaseSync(file, { timeout: 10_000, enableForeignKeyConstraints: true });
    // Of the connection, not of the file: without FULL a reopened WAL database commits without flushing.
    this.#connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    this.#migrate();
  }

  inVault<T>(_vault: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.everywhere(work);
  }

  everywhere<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#transaction(work));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  read<Row>(text: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.everywhere((sql) => sql.all(text, values));
  }

  async close(): Promise<void> {
    await this.#last;
    this.#connection.close();
  }

  /**
   * After a statement that failed, no other one of the same transaction runs. SQLite ends a transaction by itself where the disk
   * is full: the statements that were begun at the same time would then be committed one by one.
   */
  async #transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    this.#connection.exec("BEGIN IMMEDIATE");
    const turn = { isOver: false };
    try {
      const result = await work(this.#sqlOf(turn));
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    } finally {
      turn.isOver = true;
    }
  }

  #sqlOf(turn: { isOver: boolean }): Sql {
    const step = async <T>(text: string, run: (statement: StatementSync) => T): Promise<T> => {
      if (turn.isOver) throw new Error("The transaction of this statement has ended.");
      try {
        return run(this.#prepare(text));
      } catch (error) {
        turn.isOver = true;
        throw error;
      }
    };
    return {
      all: (text, values = []) => step(text, (statement) => statement.all(...values) as never),
      allOf: (text, values, wanted) =>
        step(
          text.replace(/=$/, "IN (SELECT value FROM json_each(?))"),
          (statement) => statement.all(...values, JSON.stringify(wanted)) as never,
        ),
      run: (text, values = []) => step(text, (statement) => Number(statement.run(...values).changes)),
      forUpdate: "",
    };
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#connection.prepare(text);
    // Statements with long lists of values differ each time.
    if (text.length < 1000) this.#statements.set(text, statement);
    return statement;
  }

  #migrate(): void {
    this.#connection.exec("BEGIN IMMEDIATE");
    const version = Number(this.#connection.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version > SCHEMA_VERSION) {
      this.#connection.close();
      throw new NewerSchemaError(version);
    }
    for (const statement of createTables("BLOB", version)) this.#connection.exec(statement);
    this.#connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    this.#connection.exec("COMMIT");
  }
}

/** A newer server has used this database. */
export class NewerSchemaError extends Error {
  readonly code = "newer-schema";

  constructor(version: number) {
    super(`A newer sync server has used this database (version ${version}). It was not changed; update Retake.`);
  }
}
