import { existsSync } from "node:fs";
import { Garbage, lockWorkspace, showPath, type WorkspaceLock } from "@retake/workspace";
import type { Store } from "../open-store.ts";
import { damagedCaptures } from "../store/damaged-threads.ts";
import { SnapshotLog } from "../store/snapshot-log.ts";
import type { Stores } from "../stores.ts";
import type { StoresAtWork } from "../stores-at-work.ts";
import { BUSY, type Busy } from "../undo/hold-workspace.ts";
import { type KeepPolicy, keptCaptures } from "./kept-captures.ts";

export interface CollectRequest extends KeepPolicy {
  readonly dryRun?: boolean;
}

export interface CollectedStores {
  readonly kind: "collected";
  readonly captures: number;
  readonly objects: number;
  readonly bytes: number;
}

/**
 * Gives up the files of history that need not keep them, in both stores. Every workspace is held meanwhile: a turn
 * makes captures before the operation that names them.
 */
export async function collectStores(
  parts: { readonly stores: Stores; readonly atWork: StoresAtWork; readonly root: string; readonly state: string },
  request: CollectRequest,
  now: number,
): Promise<CollectedStores | Busy> {
  const { stores, atWork, root, state } = parts;
  const done = await atWork.hold(async () => {
    const others = lockOthers(stores.all(), root, state);
    if (!others) return BUSY;
    try {
      let [captures, objects, bytes] = [0, 0, 0];
      for (const store of stores.all()) {
        const own = new SnapshotLog(store.database).ownTrees();
        const keep = [...keptCaptures(store.threads, request, now), ...own, ...damagedCaptures(store.database)];
        const part = await atWork.in(store).workspace.collectGarbage(keep, { dryRun: request.dryRun ?? false });
        captures += part.captures;
        objects += part.objects;
        bytes += part.bytes;
      }
      return { kind: "collected", captures, objects, bytes } as const;
    } finally {
      for (const lock of others) lock.release();
    }
  });
  if (done.kind === "refused") throw new Error(done.message);
  return done;
}

function lockOthers(stores: readonly Store[], root: string, state: string): WorkspaceLock[] | undefined {
  const roots = new Set(stores.flatMap(({ database }) => new Garbage(database).workspaceRoots()));
  const locks: WorkspaceLock[] = [];
  for (const other of roots) {
    // Nobody works in one that is gone.
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
