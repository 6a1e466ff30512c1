import { restoreSnapshot } from "../snapshots/restore-snapshot.ts";
import type { Action } from "./action.ts";
import { snapshotFor } from "./shared/snapshot-for.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"restoreSnapshot"> = async (call) => {
  const snapshot = snapshotFor(call, call.params.id, call.query.thread);
  return takeBack(call, snapshot.thread, (workspace, options) => restoreSnapshot(workspace, snapshot, options));
};
