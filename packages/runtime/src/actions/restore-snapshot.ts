import { restoreSnapshot } from "../snapshots/restore-snapshot.ts";
import type { Action } from "./action.ts";
import { snapshotFor } from "./shared/snapshot-for.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"restoreSnapshot"> = async (asked) => {
  const snapshot = snapshotFor(asked, asked.params.id, asked.query.thread);
  return takeBack(asked, snapshot.thread, (workspace, options) => restoreSnapshot(workspace, snapshot, options));
};
