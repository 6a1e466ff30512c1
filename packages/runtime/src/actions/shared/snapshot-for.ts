import { ActionError } from "../../host/action-error.ts";
import type { Runtime } from "../../host/runtime.ts";
import type { SnapshotRow } from "../../store/snapshot-log.ts";
import { threadNamed } from "./names.ts";

/** Where a thread is named, the snapshot has to be of its workspace. */
export function snapshotFor(
  { runtime, root }: { readonly runtime: Runtime; readonly root: string },
  id: string,
  thread: string | undefined,
): SnapshotRow {
  const snapshot = runtime.snapshot(id);
  const named = thread === undefined ? undefined : runtime.thread(threadNamed({ runtime, root }, thread));
  if (named !== undefined && named.workspace_root !== snapshot.workspace_root) throw notThere(id);
  return snapshot;
}

export function notThere(id: string): ActionError {
  return new ActionError("not-found", `There is no snapshot ${id} in this workspace. Nothing was changed.`);
}
