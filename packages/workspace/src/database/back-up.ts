import { closeSync, openSync, rmSync } from "node:fs";

/**
 * Copies a database as it is, at one moment, to a file beside it, and answers where. To go back to it, put it in the
 * place of the database while no Retake runs.
 */
export function backUp(
  connection: { prepare(sql: string): { run(file: string): unknown } },
  file: string,
  why: string,
): string {
  const copy = `${file}.before-${why}-${Date.now()}`;
  // Made first, because SQLite would let others read it.
  closeSync(openSync(copy, "wx", 0o600));
  try {
    connection.prepare("VACUUM INTO ?").run(copy);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
  return copy;
}
