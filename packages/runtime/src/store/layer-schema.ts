/**
 * Spaces in layers (see `layers.ts`), operations by group, and an index of words in which the entries of a thread are
 * stored together (`search-index.ts`). The index is built on the first search.
 */
export const LAYER_SCHEMA = `
  ALTER TABLE spaces ADD COLUMN base INTEGER REFERENCES spaces (id);
  /** The last place of the base's entries, and the last version of its groups and turns, that the space shows. */
  ALTER TABLE spaces ADD COLUMN upto TEXT;
  ALTER TABLE spaces ADD COLUMN until INTEGER;
  CREATE INDEX spaces_by_thread ON spaces (thread);
  CREATE INDEX spaces_by_base ON spaces (base);
  CREATE INDEX takes_by_space ON takes (space);

  /** A row without a value hides the row of the layers below. */
  ALTER TABLE records RENAME TO old_records;
  CREATE TABLE records (
    space INTEGER NOT NULL,
    /** As \`record-key.ts\` writes it, so that it sorts as in JavaScript. */
    id TEXT NOT NULL,
    /** The version in which a group or a turn began: a branch does not show those that began later. */
    version INTEGER,
    value TEXT,
    PRIMARY KEY (space, id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO records (space, id, value) SELECT space, id, value FROM old_records;
  DROP TABLE old_records;

  DROP INDEX entries_by_words;
  DROP INDEX entries_by_place;
  ALTER TABLE entries RENAME TO old_entries;
  CREATE TABLE entries (
    space INTEGER NOT NULL,
    id TEXT NOT NULL,
    place TEXT,
    value TEXT,
    words INTEGER,
    PRIMARY KEY (space, id)
  ) STRICT;
  CREATE UNIQUE INDEX entries_by_place ON entries (space, place);
  CREATE INDEX entries_by_words ON entries (words);
  INSERT INTO entries (space, id, place, value, words) SELECT space, id, place, value, NULL FROM old_entries;
  DROP TABLE old_entries;
  DROP TABLE entry_words;
  CREATE VIRTUAL TABLE entry_words USING fts5 (words, role, content = '', contentless_delete = 1, tokenize = 'ascii');

  DROP INDEX operations_by_version;
  ALTER TABLE operations RENAME TO old_operations;
  CREATE TABLE operations (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    thread TEXT NOT NULL,
    version INTEGER NOT NULL,
    group_id TEXT NOT NULL,
    hash BLOB NOT NULL,
    /**
     * The content of a long operation without its changes. The column comes before them, so that they are not read with
     * it.
     */
    outline TEXT,
    body TEXT NOT NULL
  ) STRICT;
  INSERT INTO operations (sequence, id, thread, version, group_id, hash, body)
    SELECT sequence, id, thread, version, iif(json_valid(body), coalesce(json_extract(body, '$.group'), id), ''), hash, body
    FROM old_operations;
  DROP TABLE old_operations;
  CREATE INDEX operations_by_version ON operations (thread, version);
  /** With the version, so that a group is read in order without reading the whole thread. */
  CREATE INDEX operations_by_group ON operations (thread, group_id, version);
  /** The operations that lead to the heads of threads, by the part they belong to (\`line-rows.ts\`). */
  CREATE TABLE lines (
    thread TEXT NOT NULL,
    part TEXT NOT NULL,
    version INTEGER NOT NULL,
    operation TEXT NOT NULL,
    PRIMARY KEY (thread, part, version)
  ) STRICT, WITHOUT ROWID;

  /** For the query of \`withTree\`: all turns that change no files have the same tree. */
  DROP INDEX snapshots_by_tree;
  CREATE INDEX snapshots_by_tree ON snapshots (tree, thread, kind = 'pre-turn', sequence);

  /* In the order of their commits. */
  CREATE INDEX operations_by_thread ON operations (thread);
`;
