import type { Refusal } from "@retake/core";
import { recoverTurns } from "../runner/recover-turn.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { recoverRestores } from "../workspace/restore/recover-restores.ts";
import type { RestoreContext } from "../workspace/restore/restore-context.ts";
import { lockWorkspace } from "../workspace/restore/workspace-lock.ts";
import type { Identity } from "./identity.ts";
import { RefusedError } from "./thread-files.ts";

/** Another process changes files here, or runs a turn. */
export interface Busy {
  readonly kind: "busy";
  readonly message: string;
}

/**
 * Runs `work` as the only one that changes files in the workspace: turns, undo, branch and switch all
 * hold it. What a killed process left half done is finished first.
 */
export async function holdWorkspace<T>(
  parts: { workspace: Workspace; store: ThreadStore; identity: Identity; state: string },
  thread: string,
  work: (context: RestoreContext) => Promise<T>,
): Promise<T | Busy | Refusal> {
  const { workspace, store, identity } = parts;
  const { database, objects } = workspace;
  workspace.prepare();
  const root = Buffer.from(workspace.root, "latin1").toString("utf8");
  const lock = lockWorkspace(parts.state, root);
  if (!lock) return BUSY;
  try {
    const context = { root, database, objects, lock };
    await recoverRestores(context);
    if (store.has(thread)) await recoverTurns(workspace, store, identity, thread);
    return await work(context);
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal;
    throw error;
  } finally {
    lock.release();
  }
}

const BUSY: Busy = {
  kind: "busy",
  message: "Another Retake is working in this directory. Nothing was changed; try again when it is done.",
};
