import type { Schema } from "./database/schema.ts";

/** Left-out paths that are captured all the same, as they were last captured. */
export const CLAIM_SCHEMA = `
    CREATE TABLE claims (
      workspace INTEGER NOT NULL REFERENCES workspaces (id),
      path BLOB NOT NULL,
      state BLOB NOT NULL,
      numbers BLOB,
      /** Whether a capture contains it; at first only its claim does. */
      captured INTEGER NOT NULL,
      PRIMARY KEY (workspace, path)
    ) STRICT, WITHOUT ROWID;
`;

/**
 * The tables of this package, for a database that holds nothing else. A store that also holds threads creates the same
 * tables by its own steps; a test there compares them.
 */
export const fileSchema: Schema = {
  steps: [
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

    CREATE TABLE captures (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      parent INTEGER REFERENCES captures (id),
      /** The name of the capture it was made from. If collection has deleted that one, parent is an earlier capture. */
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
    CREATE INDEX captures_by_parent ON captures (parent);

    CREATE TABLE workspaces (
      id INTEGER PRIMARY KEY,
      root BLOB NOT NULL UNIQUE,
      /** The ignore rules and limits with which the stat cache was made. */
      rules TEXT,
      /** The capture that matches the stat cache, if known, and how often the cache was saved. */
      cached_capture INTEGER,
      cache_version INTEGER NOT NULL DEFAULT 0,
      last_capture INTEGER REFERENCES captures (id)
    ) STRICT;

    CREATE TABLE stat_cache (
      workspace INTEGER NOT NULL REFERENCES workspaces (id),
      directory BLOB NOT NULL,
      entries BLOB NOT NULL,
      PRIMARY KEY (workspace, directory)
    ) STRICT, WITHOUT ROWID;

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
    ${CLAIM_SCHEMA}
    `,
  ],
};
