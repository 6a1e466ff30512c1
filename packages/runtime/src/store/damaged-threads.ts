import { type Database, StoreError } from "@retake/workspace";

/**
 * Threads of version 0.1.0 whose log was damaged and could not be converted. They are not shown, but nothing is lost:
 * their operations are kept unchanged, and so are the captures that these name.
 */
export const DAMAGED_SCHEMA = `
  CREATE TABLE damaged_threads (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    workspace_root TEXT NOT NULL,
    /* What is wrong with its log. */
    problem TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  /** The operations as version 0.1.0 wrote them, in their order. */
  CREATE TABLE damaged_operations (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    thread TEXT NOT NULL REFERENCES damaged_threads (id),
    version INTEGER NOT NULL,
    hash BLOB NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
`;

export interface DamagedThread {
  readonly id: string;
  readonly title: string;
  readonly workspace_root: string;
  readonly problem: string;
}

export function damagedThreads(database: Database): DamagedThread[] {
  return database
    .prepare("SELECT id, title, workspace_root, problem FROM damaged_threads ORDER BY id")
    .all() as unknown as DamagedThread[];
}

export function damageOf(database: Database, id: string): StoreError | undefined {
  const thread = damagedThreads(database).find((each) => each.id === id);
  return thread && new StoreError("unreadable", describeDamaged(thread));
}

export function describeDamaged({ id, title, workspace_root, problem }: DamagedThread): string {
  return (
    `The thread "${title}" (${id}) of ${workspace_root} was damaged before this version of Retake opened it: ${problem}. ` +
    "Its operations are kept as they are, and the copy of the store from before lies beside it. " +
    "Another machine or a bundle may have the thread whole."
  );
}

/**
 * The captures that the operations of damaged threads name. Searched as text, because the text may not be valid JSON.
 */
export function damagedCaptures(database: Database): string[] {
  const name = database.prepare("SELECT name FROM capture_names WHERE old = ?");
  const names = new Set<string>();
  for (const { body } of database.prepare("SELECT body FROM damaged_operations").iterate())
    for (const [old] of String(body).matchAll(/\bcapture-\d+\b/g)) {
      const row = name.get(old);
      if (row) names.add(String(row["name"]));
    }
  return [...names];
}
