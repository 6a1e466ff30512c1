/** The state of sync. Keys are in none of these tables in clear: a store may be copied (`sync/login-file.ts`). */
export const SYNC_SCHEMA = `
  CREATE TABLE sync_vault (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL) STRICT;

  CREATE TABLE sync_threads (
    thread TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    /** The key of the thread, encrypted for this device. */
    key TEXT,
    synced_at INTEGER
  ) STRICT, WITHOUT ROWID;

  /** Trees that the server has, as part of the segments of a thread. */
  CREATE TABLE sync_trees (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    thread TEXT NOT NULL,
    tree TEXT NOT NULL,
    UNIQUE (thread, tree)
  ) STRICT;

  /** Contents that received trees name, and that no device has sent. */
  CREATE TABLE absent_contents (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

/** The operations that wait are counted and found by thread, and hundreds of thousands may wait on a machine that was offline. */
export const OUTBOX_SCHEMA = `
  ALTER TABLE outbox DROP COLUMN attempts;
  ALTER TABLE outbox DROP COLUMN next_attempt_at;
  ALTER TABLE outbox DROP COLUMN last_error;
  CREATE INDEX outbox_by_thread ON outbox (thread);
`;
