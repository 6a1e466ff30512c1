import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createTables, SCHEMA_VERSION, type SqlDialect } from "./schema.ts";
import type { Sql, SqlDatabase, SqlValue } from "./sql-database.ts";

/** One file, for a server on one machine. */
export class SqliteDatabase implements SqlDatabase {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Transactions that wait for the next commit. */
  readonly #waiting: Waiting[] = [];
  #last: Promise<void> = Promise.resolve();

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
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run: (sql) => work(sql).then((result) => () => resolve(result)), reject });
      if (this.#waiting.length > 1) return;
      this.#last = this.#last.catch(() => undefined).then(() => this.#commitWaiting());
    });
  }

  read<Row>(text: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.everywhere((sql) => sql.all(text, values));
  }

  async close(): Promise<void> {
    await this.#last;
    this.#connection.close();
  }

  /**
   * Runs the transactions that wait, one after the other, and commits them together: a commit flushes the file, which
   * takes longer than all else. None is answered before the commit, and one that fails takes back only its own statements.
   */
  async #commitWaiting(): Promise<void> {
    // Requests that have arrived together get here first.
    await nextTurn();
    const batch = this.#waiting.splice(0);
    try {
      this.#connection.exec("BEGIN IMMEDIATE");
      const answers: (() => void)[] = [];
      for (const each of batch) answers.push(await this.#transaction(each));
      this.#connection.exec("COMMIT");
      for (const answer of answers) answer();
    } catch (error) {
      for (const { reject } of batch) reject(error);
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
    }
  }

  /**
   * After a statement that failed, no other one of the same transaction runs. SQLite ends everything by itself where the disk
   * is full: the statements that were begun at the same time would then be committed one by one.
   */
  async #transaction({ run, reject }: Waiting): Promise<() => void> {
    this.#connection.exec("SAVEPOINT waiting");
    const turn = { isOver: false };
    try {
      return await run(this.#sqlOf(turn));
    } catch (error) {
      // The transactions before it, which are of the same commit, are lost too.
      if (!this.#connection.isTransaction) throw error;
      this.#connection.exec("ROLLBACK TO waiting");
      return () => reject(error);
    } finally {
      turn.isOver = true;
      if (this.#connection.isTransaction) this.#connection.exec("RELEASE waiting");
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
    const run = (text: string, values: readonly SqlValue[] = []) =>
      step(text, (statement) => Number(statement.run(...values.map(stored)).changes));
    return {
      all: (text, values = []) => step(text, (statement) => statement.all(...values.map(stored)) as never),
      allOf: (text, values, wanted) =>
        step(
          text.replace(/=$/, "IN (SELECT value FROM json_each(?))"),
          (statement) => statement.all(...values.map(stored), JSON.stringify(wanted)) as never,
        ),
      run,
      runAll: async (statements) => {
        await Promise.all(statements.map(({ text, values }) => run(text, values)));
      },
      forUpdate: "",
      list: "json_each(?)",
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
    for (const statement of createTables(DIALECT, version)) this.#connection.exec(statement);
    this.#connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    this.#connection.exec("COMMIT");
  }
}

const DIALECT: SqlDialect = { bytes: "BLOB", key: "TEXT", narrow: " WITHOUT ROWID" };

/** A value as SQLite takes it: a list as JSON. */
function stored(value: SqlValue): Exclude<SqlValue, readonly string[]> {
  return Array.isArray(value) ? JSON.stringify(value) : (value as Exclude<SqlValue, readonly string[]>);
}

interface Waiting {
  /** Resolves to a function that gives its result to the caller. */
  readonly run: (sql: Sql) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** A newer server has used this database. */
export class NewerSchemaError extends Error {
  readonly code = "newer-schema";

  constructor(version: number) {
    super(`A newer sync server has used this database (version ${version}). It was not changed; update Retake.`);
  }
}
