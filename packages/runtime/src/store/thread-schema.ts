/**
 * Threads: their operations, which are all there is, and their present records, which follow from them.
 *
 * A space holds the records of one take, or those that the takes of a thread share. When an operation
 * exchanges a take's space or takes it away, the rows of the old one stay as they are, and
 * `space_changes` says which it was: so the state before any operation can be had by going back.
 */
export const threadSchema = `
  CREATE TABLE threads (
    id TEXT PRIMARY KEY,
    space INTEGER NOT NULL REFERENCES spaces (id),
    head TEXT NOT NULL,
    version INTEGER NOT NULL,
    workspace_root TEXT NOT NULL,
    title TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX threads_by_workspace ON threads (workspace_root, updated_at);

  CREATE TABLE spaces (id INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL) STRICT;

  CREATE TABLE takes (
    thread TEXT NOT NULL,
    take TEXT NOT NULL,
    space INTEGER NOT NULL REFERENCES spaces (id),
    PRIMARY KEY (thread, take)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE records (
    space INTEGER NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (space, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE entries (
    space INTEGER NOT NULL,
    id TEXT NOT NULL,
    /* The order key with the id behind it: unique, and it sorts. */
    place TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (space, id)
  ) STRICT;
  CREATE UNIQUE INDEX entries_by_place ON entries (space, place);

  CREATE TABLE operations (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    thread TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash BLOB NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX operations_by_version ON operations (thread, version);

  CREATE TABLE space_changes (
    operation TEXT NOT NULL,
    take TEXT NOT NULL,
    before INTEGER REFERENCES spaces (id),
    PRIMARY KEY (operation, take)
  ) STRICT, WITHOUT ROWID;

  /* What the sync server has not confirmed, written with the operation it belongs to. */
  CREATE TABLE outbox (
    operation TEXT PRIMARY KEY,
    thread TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  ) STRICT;
`;
