/**
 * Snapshots: points of a workspace's files that can be named, listed and restored. Snapshots that Retake makes follow
 * from the operations and are written with them; only snapshots that a user takes are not in the log.
 */
export const SNAPSHOT_SCHEMA = `
  CREATE TABLE snapshots (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace_root TEXT NOT NULL,
    thread TEXT NOT NULL,
    /** The operation it belongs to, and the one after which it shows the files. */
    operation TEXT NOT NULL,
    after TEXT,
    turn TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('pre-turn', 'tool', 'post-turn', 'pre-restore', 'manual')),
    label TEXT NOT NULL,
    tree TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX snapshots_by_workspace ON snapshots (workspace_root, sequence);
  CREATE INDEX snapshots_by_thread ON snapshots (thread, sequence);
  CREATE INDEX snapshots_by_tree ON snapshots (tree);
`;
