import type { Database } from "./database.ts";

/** The problems that SQLite finds in its file, in its words; at most a few lines. */
export function fileProblems(database: Database): string[] {
  const rows = database.prepare("PRAGMA integrity_check(10)").all();
  return rows.map((row) => String(row["integrity_check"])).filter((line) => line !== "ok");
}

/** Rows that refer to missing rows. */
export function brokenReferences(database: Database): string[] {
  const rows = database.prepare("PRAGMA foreign_key_check").all();
  return rows.map((row) => `a row of ${row["table"]} names one of ${row["parent"]} that is not there`);
}

/** Whether the full-text index is intact and matches its table exactly. */
export function searchIndexIsWhole(database: Database): boolean {
  try {
    database.transaction(() => database.run("INSERT INTO entry_words (entry_words) VALUES ('integrity-check')"));
    const row = database
      .prepare(
        `SELECT EXISTS (SELECT words FROM entries WHERE words > 0 EXCEPT SELECT rowid FROM entry_words) AS missing,
           EXISTS (SELECT rowid FROM entry_words EXCEPT SELECT words FROM entries) AS left_over`,
      )
      .get();
    return row?.["missing"] === 0 && row["left_over"] === 0;
  } catch {
    return false;
  }
}
