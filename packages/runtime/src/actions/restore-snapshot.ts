import { refuse } from "@retake/core";
import { restoreSnapshot } from "../snapshots/restore-snapshot.ts";
import type { Action } from "./action.ts";
import { threadNamed } from "./shared/names.ts";
import { snapshotFor } from "./shared/snapshot-for.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"restoreSnapshot"> = async (call) => {
  const { runtime, params, query } = call;
  const snapshot = snapshotFor(call, params.id, query.thread);
  if (query.thread !== undefined && threadNamed(call, query.thread) !== snapshot.thread) {
    const { title } = runtime.thread(snapshot.thread);
    return refuse(
      "not-found",
      `${params.id} is a snapshot of the thread ${title}, and is restored in that thread alone. Nothing was changed. Name that thread, or none.`,
    );
  }
  return takeBack(call, snapshot.thread, (workspace, options) => restoreSnapshot(workspace, snapshot, options));
};
