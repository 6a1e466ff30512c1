/**
 * Frees the space of captures that are no longer needed.
 *
 * Captures between kept ones are folded into the next kept one: its change list then spans them. Objects that no kept
 * capture names are deleted from the index in the same transaction. A concurrent capture, in this process or another,
 * commits before that transaction or after it. Before: it is its workspace's last capture and is kept. After: in its
 * own transaction it looks up every existing object it relies on and the capture it follows, and starts again when one
 * is gone. So a named object is never missing, and no lock is held while files are read.
 *
 * Packs that are mostly unused are copied one by one, each in its own transaction, and their files are removed
 * afterwards. A reader that finds an old file gone looks the object up again. A crash leaves an unnamed file, which the
 * next collection removes.
 */

import type { Database } from "../database/database.ts";
import type { CaptureId, Hash } from "../model/model.ts";
import { decodeChanges, decodeListing, encodeChanges, encodeListing, hasContent } from "../model/state-codec.ts";
import { Garbage } from "../objects/garbage.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { RestoreJournal } from "../restore/restore-journal.ts";
import { CaptureLog } from "./capture-log.ts";
import { readCapture } from "./capture-tree.ts";
import { compose } from "./changes-between.ts";
import { claimedHashes } from "./claims.ts";

export interface Collected {
  readonly captures: number;
  readonly objects: number;
  /** The size of those objects. Packs that are still mostly in use keep the space for now. */
  readonly bytes: number;
}

/** Keeps the given captures, the last one of every workspace, and what restores still need. A dry run only counts. */
export function collectGarbage(
  database: Database,
  objects: ObjectStore,
  keep: readonly CaptureId[],
  { dryRun = false } = {},
): Collected {
  const garbage = new Garbage(database);
  const collect = (): Collected => {
    const before = garbage.storedBytes();
    const kept = new Set([...keep, ...garbage.lastCaptures()]);
    const captures = dropCaptures(database, garbage, kept);
    const { objects: count } = garbage.keepOnly(namedHashes(database));
    return { captures, objects: count, bytes: before - garbage.storedBytes() };
  };
  if (dryRun) return database.rehearse(collect);
  const collected = database.transaction(collect);
  for (const { pack } of garbage.wastefulPacks()) database.transaction(() => objects.movePack(pack, garbage));
  objects.removeUnnamedPacks();
  return collected;
}

function dropCaptures(database: Database, garbage: Garbage, kept: ReadonlySet<CaptureId>): number {
  const log = new CaptureLog(database);
  const ids = garbage.captureIds();
  for (const id of ids) {
    if (!kept.has(id)) continue;
    const row = log.get(id);
    const lists = [decodeChanges(row.changes)];
    let parent = row.parent;
    while (parent !== undefined && !kept.has(parent)) {
      const between = log.get(parent);
      lists.push(decodeChanges(between.changes));
      parent = between.parent;
    }
    if (parent === row.parent) continue;
    if (parent === undefined) {
      const listing = encodeListing(readCapture(database, id).recorded());
      garbage.replaceCapture(id, { parent, changes: encodeChanges([]), distance: 0, listing });
      continue;
    }
    const changes = compose(lists.reverse());
    const distance = row.listing ? 0 : log.totals(parent).distance + changes.length;
    garbage.replaceCapture(id, { parent, changes: encodeChanges(changes), distance, listing: row.listing });
  }
  const gone = ids.filter((id) => !kept.has(id));
  for (const id of gone.reverse()) garbage.dropCapture(id);
  return gone.length;
}

/** The contents that captures and restores refer to. */
export function* namedHashes(database: Database): Iterable<Hash> {
  yield* new RestoreJournal(database).objects();
  yield* claimedHashes(database);
  const log = new CaptureLog(database);
  for (const id of new Garbage(database).captureIds()) {
    const row = log.get(id);
    const listed = row.listing ? decodeListing(row.listing).values() : [];
    const changed = decodeChanges(row.changes).flatMap(({ before, after }) => [before, after]);
    for (const state of [...listed, ...changed]) if (hasContent(state)) yield state.hash;
  }
}
