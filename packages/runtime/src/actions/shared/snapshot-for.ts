import { ActionError } from "../../host/action-error.ts";
import type { Runtime } from "../../host/open-runtime.ts";
import type { SnapshotRow } from "../../store/snapshot-log.ts";

/** Where a thread is named, the snapshot has to be of its workspace. */
export function snapshotFor(runtime: Runtime, id: string, thread: string | undefined): SnapshotRow {
  const snapshot = runtime.snapshot(id);
  if (thread !== undefined && runtime.thread(thread).workspace_root !== snapshot.workspace_root) throw notThere(id);
  return snapshot;
}

export function notThere(id: string): ActionError {
  return new ActionError("not-found", `There is no snapshot ${id} in this workspace. Nothing was changed.`);
}
