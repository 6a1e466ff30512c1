import type { Database } from "@retake/workspace";

/**
 * The turns that run on this machine. A thread's log also says that an agent is working, but the log may come from
 * another machine: no import or sync writes this table, so no turn of elsewhere is taken for a killed one of this
 * machine, with the files that changed here.
 */
export const OWN_TURNS_SCHEMA = `
  CREATE TABLE own_turns (turn TEXT PRIMARY KEY, thread TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Fills the table of a store that had none: nearly all its turns were made here. */
export function fillOwnTurns(database: Database): void {
  database.run(
    `INSERT OR IGNORE INTO own_turns (turn, thread)
     SELECT json_extract(value, '$.turn_id'), spaces.thread FROM records JOIN spaces ON spaces.id = records.space
     WHERE records.id = 'agent' AND value IS NOT NULL`,
  );
}
