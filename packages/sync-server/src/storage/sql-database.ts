/**
 * The port to the database. Both databases run the same SQL, with `?` for each value.
 *
 * Everything about a vault is done in a transaction of that vault (`inVault`). On PostgreSQL such a transaction has a
 * role that sees only the rows of its vault: a second wall, should a query forget to name it.
 */
export interface SqlDatabase {
  inVault<T>(vault: string, work: (sql: Sql) => Promise<T>): Promise<T>;
  /** A transaction across vaults: for requests before there is a vault, and for housekeeping. */
  everywhere<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** One statement across vaults, on its own. */
  read<Row>(text: string, values: readonly SqlValue[]): Promise<Row[]>;
  close(): Promise<void>;
}

/**
 * The statements of a transaction run in the order of their calls, also when a caller does not wait for one before it calls
 * the next. On PostgreSQL such statements take one round trip together.
 */
export interface Sql {
  all<Row>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /**
   * The rows for each of the wanted values. `text` ends with "AND name =", for instance. Each value is looked up in the
   * index by itself: a list in one condition may be compared with every row of a long thread.
   */
  allOf<Row>(text: string, values: readonly SqlValue[], wanted: readonly string[]): Promise<Row[]>;
  /** Returns how many rows it changed. */
  run(text: string, values?: readonly SqlValue[]): Promise<number>;
  /** Runs statements of which none reads or changes a row that another one changes. On PostgreSQL they are one statement. */
  runAll(statements: readonly Statement[]): Promise<void>;
  /** The end of a SELECT whose rows nobody else may change until the end of the transaction. */
  readonly forUpdate: string;
  /** A table of the texts in one value, which is a list. Its column is `value`. */
  readonly list: string;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export type SqlValue = string | number | null | Uint8Array | readonly string[];

/** How many values one statement takes at most, with room below the limits of both databases. */
const AT_ONCE = 6000;

/** `text` ends with "VALUES"; what follows the rows is `end`. */
export async function insertAll(
  sql: Sql,
  text: string,
  rows: readonly (readonly SqlValue[])[],
  end = "",
): Promise<void> {
  const width = rows[0]?.length ?? 1;
  const most = Math.floor(AT_ONCE / width);
  for (let start = 0; start < rows.length; start += most) {
    const part = rows.slice(start, start + most);
    const places = `(${new Array(width).fill("?")})`;
    await sql.run(`${text} ${part.map(() => places)} ${end}`, [...part.flat()]);
  }
}
