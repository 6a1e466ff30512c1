import { join } from "node:path";
import {
  bytePath,
  ObjectStore,
  recoverRestores,
  stagesOf,
  type WorkspaceFiles,
  type WorkspaceLock,
} from "@retake/workspace";
import type { Identity } from "../store/identity.ts";
import type { StorePart } from "../store/store-part.ts";
import { recoverTurns } from "./recover-turn.ts";

/**
 * Completes what killed processes left unfinished in a workspace, as far as one store knows: restores first, because
 * ending a turn captures the files. The caller must hold the workspace.
 */
export async function recoverStore(
  { store, root, identity, outputs, workspace }: Recovered,
  lock: WorkspaceLock,
): Promise<{ readonly restores: number; readonly turns: number }> {
  const { database, threads, directory } = store;
  const objects = new ObjectStore(database, join(directory, "packs"));
  let restores: number;
  try {
    restores = (await recoverRestores({ root: bytePath(root), database, objects, lock, ...stagesOf(directory) }))
      .finished.length;
  } finally {
    objects.close();
  }
  let turns = 0;
  for (const thread of threads.working(root))
    turns += (await recoverTurns({ workspace: workspace(), store: threads, identity, outputs }, thread)).length;
  return { restores, turns };
}

export interface Recovered {
  readonly store: StorePart;
  readonly root: string;
  readonly identity: Identity;
  /** The directory of kept outputs. */
  readonly outputs: string;
  /** Called only when a turn has to be ended. */
  readonly workspace: () => WorkspaceFiles;
}
