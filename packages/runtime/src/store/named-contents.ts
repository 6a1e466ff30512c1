import type { Database } from "@retake/workspace";

/**
 * The hashes that operations of any thread contain, at any time of its history: an undo may lead back to each. Searched as text,
 * so that no place where an operation can name a content is forgotten, and damaged threads count, too.
 */
export function namedContents(database: Database): Set<string> {
  const named = new Set<string>();
  for (const table of ["operations", "damaged_operations"])
    for (const { body } of database.prepare(`SELECT body FROM ${table}`).iterate())
      for (const [hash] of String(body).matchAll(HASH)) named.add(hash);
  return named;
}

const HASH = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
