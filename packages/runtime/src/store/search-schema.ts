/**
 * Full-text search over entries. The index contains words, not texts (`words-in.ts` makes them), and an entry's
 * row names its place in the index. A row that is copied, as for a branch, names the same place. NULL means that the
 * entry is not indexed yet, 0 that it has no words.
 */
export const SEARCH_SCHEMA = `
  /* Counting 100,000 rows takes longer than changing one of them. */
  ALTER TABLE spaces ADD COLUMN entry_count INTEGER NOT NULL DEFAULT 0;
  UPDATE spaces SET entry_count = (SELECT count(*) FROM entries WHERE entries.space = spaces.id);

  CREATE VIRTUAL TABLE entry_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii');
  ALTER TABLE entries ADD COLUMN words INTEGER;
  CREATE INDEX entries_by_words ON entries (words);
`;
