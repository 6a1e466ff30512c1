import { CaptureLog } from "@retake/workspace";
import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { Workspace } from "../workspace/open-workspace.ts";

/** A snapshot as other programs are told of it; `tree` is computed when it is first asked for. */
export async function snapshotJson(workspace: Workspace, snapshot: SnapshotRow) {
  const files = workspace.files(snapshot.thread);
  return {
    id: snapshot.id,
    op_id: snapshot.operation,
    label: snapshot.label,
    kind: snapshot.kind,
    tree: await files.treeId(snapshot.tree),
    thread_id: snapshot.thread,
    turn_id: snapshot.turn ?? null,
    created_at: new Date(snapshot.created_at).toISOString(),
    ...new CaptureLog(files.database).totals(snapshot.tree),
  };
}
