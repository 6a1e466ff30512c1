import type { DatabaseSync } from "node:sqlite";
import { creations, decodeChanges, decodeListing, treeName } from "@retake/workspace";

/**
 * Gives captures names that mean the same in every store. Captures no longer belong to one workspace: two directories
 * may hold the same files. Each workspace names its last capture itself.
 *
 * Until now the log named a capture `capture-<number of its row>`. `capture_names` maps these to the new names, for
 * rewriting an old log.
 */
export function nameCaptures(connection: DatabaseSync): void {
  connection.exec(`
    CREATE TABLE named_captures (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      parent INTEGER REFERENCES named_captures (id),
      /** The name of the capture it was made from. If gc has deleted that one, \`parent\` is an earlier capture. */
      follows TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      files INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      changes BLOB NOT NULL,
      /* How many changes a reader folds from the nearest listing up to this capture. */
      distance INTEGER NOT NULL,
      listing BLOB,
      tree TEXT,
      receipt TEXT NOT NULL
    ) STRICT;
    CREATE TABLE capture_names (old TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
    ALTER TABLE workspaces ADD COLUMN last_capture INTEGER REFERENCES named_captures (id);
  `);
  const names = copyCaptures(connection);
  const last = connection.prepare("SELECT workspace, max(id) AS id FROM captures GROUP BY workspace").all();
  for (const { workspace, id } of last)
    connection
      .prepare("UPDATE workspaces SET last_capture = (SELECT id FROM named_captures WHERE name = ?) WHERE id = ?")
      .run(names.get(Number(id)) ?? "", Number(workspace));
  connection.exec(`
    DROP TABLE captures;
    ALTER TABLE named_captures RENAME TO captures;
    CREATE INDEX captures_by_parent ON captures (parent);
    UPDATE snapshots SET tree = coalesce((SELECT name FROM capture_names WHERE old = tree), tree);
  `);
}

/** Returns the new names by row number. Row numbers stay; of two equal captures the first is copied. */
function copyCaptures(connection: DatabaseSync): Map<number, string> {
  const names = new Map<number, string>();
  const copy = connection.prepare(
    `INSERT INTO named_captures SELECT id, ?, (SELECT id FROM named_captures WHERE name = ?), ?, created_at, files, bytes,
       changes, distance, listing, tree, receipt FROM captures WHERE id = ? ON CONFLICT (name) DO NOTHING`,
  );
  const note = connection.prepare("INSERT INTO capture_names (old, name) VALUES (?, ?)");
  const ids = connection.prepare("SELECT id FROM captures ORDER BY id").all();
  for (const row of ids) {
    const id = Number(row["id"]);
    const { parent, changes, listing } =
      connection.prepare("SELECT parent, changes, listing FROM captures WHERE id = ?").get(id) ?? {};
    const follows = names.get(Number(parent)) ?? "";
    const name =
      parent === null && listing
        ? treeName("", creations(decodeListing(listing as Uint8Array)))
        : treeName(follows, decodeChanges(changes as Uint8Array));
    copy.run(name, follows, follows, id);
    note.run(`capture-${id}`, name);
    names.set(id, name);
  }
  return names;
}
