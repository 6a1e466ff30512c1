import { existsSync } from "node:fs";
import { Garbage, lockWorkspace, showPath, type WorkspaceLock } from "@retake/workspace";
import { damagedCaptures } from "../store/damaged-threads.ts";
import type { Store } from "../store/open-store.ts";
import { SnapshotLog } from "../store/snapshot-log.ts";
import type { StorePart } from "../store/store-part.ts";
import { SyncRows } from "../store/sync-rows.ts";
import { BUSY, type Busy } from "../undo/hold-workspace.ts";
import type { PartsAtWork } from "../undo/parts-at-work.ts";
import { collectContents } from "./collect-contents.ts";
import { type KeepPolicy, keptCaptures } from "./kept-captures.ts";

export interface CollectRequest extends KeepPolicy {
  readonly dryRun?: boolean;
}

export interface CollectedStores {
  readonly kind: "collected";
  readonly captures: number;
  readonly objects: number;
  /** Attached contents and images. */
  readonly contents: number;
  readonly bytes: number;
}

/**
 * Deletes the files of history that need not be kept, in both parts of the store. Every workspace is held meanwhile,
 * because a turn makes captures before the operation that names them.
 */
export async function collectStores(
  at: { readonly store: Store; readonly atWork: PartsAtWork; readonly root: string },
  request: CollectRequest,
): Promise<CollectedStores | Busy> {
  const { store, atWork, root } = at;
  const done = await atWork.hold(async () => {
    const others = lockOthers(store.parts(), root, store.directories.state);
    if (!others) return BUSY;
    try {
      let [captures, objects, bytes] = [0, 0, 0];
      for (const part of store.parts()) {
        const own = new SnapshotLog(part.database).ownTrees();
        const synced = new SyncRows(part.database);
        const keep = [
          ...keptCaptures(part.threads, request, store.identity.now()),
          ...own,
          ...synced.lastTrees(),
          ...synced.everyFilesHere(),
          ...damagedCaptures(part.database),
        ];
        const done = await atWork.in(part).workspace.collectGarbage(keep, { dryRun: request.dryRun ?? false });
        captures += done.captures;
        objects += done.objects;
        bytes += done.bytes;
      }
      const attached = collectContents(store, request.dryRun ?? false);
      bytes += attached.bytes;
      return { kind: "collected", captures, objects, contents: attached.contents, bytes } as const;
    } finally {
      for (const lock of others) lock.release();
    }
  });
  if (done.kind === "refused") throw new Error(done.message);
  return done;
}

function lockOthers(parts: readonly StorePart[], root: string, state: string): WorkspaceLock[] | undefined {
  const roots = new Set(parts.flatMap(({ database }) => new Garbage(database).workspaceRoots()));
  const locks: WorkspaceLock[] = [];
  for (const other of roots) {
    // Nobody works in a directory that is gone.
    if (showPath(other) === root || !existsSync(Buffer.from(other, "latin1"))) continue;
    const lock = lockWorkspace(state, other);
    if (!lock) {
      for (const each of locks) each.release();
      return undefined;
    }
    locks.push(lock);
  }
  return locks;
}
