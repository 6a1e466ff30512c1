import { CLAIM_SCHEMA, type Migration, type Schema } from "@retake/workspace";
import { APPROVAL_SCHEMA } from "./approvals.ts";
import { DAMAGED_SCHEMA } from "./damaged-threads.ts";
import { DISK_LOG_SCHEMA } from "./disk-log-schema.ts";
import { LAYER_SCHEMA } from "./layer-schema.ts";
import { nameCaptures } from "./name-captures.ts";
import { NAME_SCHEMA, SHORT_HASH_SCHEMA } from "./name-index.ts";
import { fillOwnTurns, OWN_TURNS_SCHEMA } from "./own-turns.ts";
import { QUEUED_PROMPTS_SCHEMA } from "./queued-prompts.ts";
import { REQUEST_SCHEMA } from "./request-schema.ts";
import { SEARCH_SCHEMA } from "./search-schema.ts";
import { SNAPSHOT_SCHEMA } from "./snapshot-schema.ts";
import { OUTBOX_SCHEMA, SYNC_SCHEMA } from "./sync-schema.ts";
import { THREAD_SCHEMA } from "./thread-schema.ts";
import { upgradeLogs } from "./upgrade-logs.ts";

/** The steps that create the present tables. A released step is never edited. */
const STEPS: readonly Migration[] = [
  `
  CREATE TABLE packs (id INTEGER PRIMARY KEY AUTOINCREMENT, size INTEGER NOT NULL) STRICT;

  CREATE TABLE blocks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pack INTEGER NOT NULL REFERENCES packs (id),
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    size INTEGER NOT NULL,
    base BLOB,
    depth INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX blocks_by_pack ON blocks (pack);

  CREATE TABLE objects (
    hash BLOB PRIMARY KEY,
    block INTEGER NOT NULL,
    start INTEGER NOT NULL,
    size INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE loose_objects (
    hash BLOB PRIMARY KEY,
    predecessor BLOB,
    content BLOB NOT NULL
  ) STRICT;

  CREATE TABLE workspaces (
    id INTEGER PRIMARY KEY,
    root BLOB NOT NULL UNIQUE,
    /** The ignore rules and limits with which the stat cache was made. */
    rules TEXT
  ) STRICT;

  CREATE TABLE captures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    parent INTEGER REFERENCES captures (id),
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
  CREATE INDEX captures_by_parent ON captures (parent);
  CREATE INDEX captures_by_workspace ON captures (workspace, id);

  CREATE TABLE stat_cache (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    directory BLOB NOT NULL,
    entries BLOB NOT NULL,
    PRIMARY KEY (workspace, directory)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  /** Restores of files that are not finished: after a crash they are completed. */
  CREATE TABLE restores (
    id TEXT PRIMARY KEY,
    root BLOB NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('staging', 'applying', 'done')),
    plan TEXT NOT NULL,
    /** Contents that were in the way and in no capture: stored as objects and named here. */
    displaced TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  CREATE INDEX restores_unfinished ON restores (root) WHERE state <> 'done';
  `,
  THREAD_SCHEMA,
  SEARCH_SCHEMA,
  REQUEST_SCHEMA,
  SNAPSHOT_SCHEMA,
  `
  /** The capture that matches the stat cache, if known, and how often the cache was saved. */
  ALTER TABLE workspaces ADD COLUMN cached_capture INTEGER;
  ALTER TABLE workspaces ADD COLUMN cache_version INTEGER NOT NULL DEFAULT 0;
  `,
  nameCaptures,
  `
  /** Where threads live on this machine. No log contains it, because logs go to other machines. */
  CREATE TABLE places (thread TEXT PRIMARY KEY, workspace_root TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO places (thread, workspace_root) SELECT id, workspace_root FROM threads;
  `,
  `
  /**
   * The number that this store gave a thread's last operation: tells which thread was changed last, whatever the clock
   * says.
   */
  ALTER TABLE threads ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
  UPDATE threads SET sequence = (SELECT coalesce(max(sequence), 0) FROM operations WHERE thread = threads.id);
  DROP INDEX threads_by_workspace;
  CREATE INDEX threads_by_workspace ON threads (workspace_root, sequence);
  `,
  DISK_LOG_SCHEMA,
  LAYER_SCHEMA,
  DAMAGED_SCHEMA,
  NAME_SCHEMA,
  APPROVAL_SCHEMA,
  CLAIM_SCHEMA,
  SYNC_SCHEMA,
  OWN_TURNS_SCHEMA,
  QUEUED_PROMPTS_SCHEMA,
  SHORT_HASH_SCHEMA,
  OUTBOX_SCHEMA,
];

/** From this version of the schema on, operations are stored in version 2 of their format. */
const SECOND_LOG = 12;
/** From this version on, the store knows which turns run on this machine. */
const OWN_TURNS = 18;

export const storeSchema: Schema = {
  steps: STEPS,
  // After the last step: the present code writes the rows, and it knows only the present tables.
  finish: (database, from) => {
    if (from > 0 && from < SECOND_LOG) upgradeLogs(database);
    if (from > 0 && from < OWN_TURNS) fillOwnTurns(database);
  },
};
