import type { SQLInputValue } from "node:sqlite";
import type { Database } from "@retake/workspace";

/** Rows in one statement: a call of SQLite from JavaScript costs as much as a small row. */
const AT_ONCE = 32;

/** Inserts rows, many with each statement. `into` is "INSERT INTO table (columns)". */
export function insertRows(database: Database, into: string, rows: readonly (readonly SQLInputValue[])[]): void {
  const whole = rows.length - (rows.length % AT_ONCE);
  for (let start = 0; start < whole; start += AT_ONCE)
    database.run(valuesOf(into, rows[start]?.length ?? 0, AT_ONCE), ...rows.slice(start, start + AT_ONCE).flat());
  for (const row of rows.slice(whole)) database.run(valuesOf(into, row.length, 1), ...row);
}

function valuesOf(into: string, width: number, rows: number): string {
  const row = `(${new Array(width).fill("?")})`;
  return `${into} VALUES ${new Array(rows).fill(row)}`;
}
