import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Copies what is committed in a database to a file beside it and returns the file's path. To return to the copy, put it
 * in the place of the database while no Retake runs.
 *
 * The caller holds a transaction of the database, so only one copy is made at a time. The copy gets its name when it is
 * complete: a kill in between leaves no half copy that looks like a backup.
 */
export function backUp(file: string, why: string): string {
  const unfinished = `${file}.unfinished-copy`;
  for (const name of [unfinished, `${unfinished}-journal`]) rmSync(name, { force: true });
  // Made first, because SQLite would let others read it.
  closeSync(openSync(unfinished, "wx", 0o600));
  try {
    // A connection of its own, because a transaction is open in the caller's. It reads what was committed before.
    const connection = new DatabaseSync(file, { readOnly: true });
    try {
      connection.prepare("VACUUM INTO ?").run(unfinished);
    } finally {
      connection.close();
    }
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  const copy = `${file}.before-${why}-${Date.now()}`;
  renameSync(unfinished, copy);
  // The name has to survive a power loss too: the changes that follow are flushed.
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
  return copy;
}
