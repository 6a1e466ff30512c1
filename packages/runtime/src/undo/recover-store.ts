import { join } from "node:path";
import type { Store } from "../open-store.ts";
import { recoverTurns } from "../runner/recover-turn.ts";
import { ObjectStore } from "../workspace/object-store.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { bytePath } from "../workspace/path-bytes.ts";
import { recoverRestores } from "../workspace/restore/recover-restores.ts";
import { stageTag } from "../workspace/restore/stage.ts";
import type { WorkspaceLock } from "../workspace/restore/workspace-lock.ts";
import type { Identity } from "./identity.ts";

/**
 * Finishes what killed processes left half done in a workspace, as far as one store knows of it: restores
 * first, because a turn that is ended captures the files. For who holds the workspace.
 */
export async function recoverStore(
  { store, root, identity, workspace }: Recovered,
  lock: WorkspaceLock,
): Promise<{ readonly restores: number; readonly turns: number }> {
  const { database, threads, directory } = store;
  const tag = stageTag(directory);
  const objects = new ObjectStore(database, join(directory, "packs"));
  let restores: number;
  try {
    restores = (await recoverRestores({ root: bytePath(root), database, objects, lock, tag })).finished.length;
  } finally {
    objects.close();
  }
  let turns = 0;
  for (const thread of threads.working(root))
    turns += (await recoverTurns(workspace(), threads, identity, thread)).length;
  return { restores, turns };
}

export interface Recovered {
  readonly store: Store;
  readonly root: string;
  readonly identity: Identity;
  /** Asked for only where a turn has to be ended. */
  readonly workspace: () => Workspace;
}
