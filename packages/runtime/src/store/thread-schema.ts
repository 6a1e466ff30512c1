/**
 * Threads: their operations, which are the only source, and their current records, which are derived from them.
 *
 * A space contains the records of one take, or those that the takes of a thread share. When an operation replaces or
 * removes a take's space, the rows of the old one stay, and `space_changes` names it. So the state before any operation
 * can be computed by going back.
 */
export const THREAD_SCHEMA = `
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
    /** The order key followed by the id: unique and sortable. */
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

  /** Operations that the sync server has not confirmed, written in the transaction of the operation. */
  CREATE TABLE outbox (
    operation TEXT PRIMARY KEY,
    thread TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  ) STRICT;
`;
