import { CaptureLog } from "@retake/workspace";
import type { Retake } from "../open-retake.ts";
import type { SnapshotRow } from "../store/snapshot-log.ts";

/** A snapshot as other programs are told of it; `tree` is computed when it is first asked for. */
export async function snapshotJson(retake: Retake, snapshot: SnapshotRow) {
  const workspace = retake.workspace(snapshot.thread);
  return {
    id: snapshot.id,
    op_id: snapshot.operation,
    label: snapshot.label,
    kind: snapshot.kind,
    tree: await workspace.treeId(snapshot.tree),
    thread_id: snapshot.thread,
    turn_id: snapshot.turn ?? null,
    created_at: new Date(snapshot.created_at).toISOString(),
    ...new CaptureLog(workspace.database).totals(snapshot.tree),
  };
}
