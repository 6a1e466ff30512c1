import { CaptureLog } from "@retake/workspace";
import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { Workspace } from "../workspace/open-workspace.ts";

/** A snapshot as JSON; `tree` is computed at its first use. */
export async function snapshotJson(workspace: Workspace, snapshot: SnapshotRow) {
  return {
    ...snapshotFacts(workspace, snapshot),
    tree: await workspace.files(snapshot.thread).treeId(snapshot.tree),
  };
}

/** All but the id of its tree, which may take long to compute. */
export function snapshotFacts(workspace: Workspace, snapshot: SnapshotRow) {
  const { files, bytes } = new CaptureLog(workspace.files(snapshot.thread).database).totals(snapshot.tree);
  return {
    id: snapshot.id,
    op_id: snapshot.operation,
    label: snapshot.label,
    kind: snapshot.kind,
    thread_id: snapshot.thread,
    turn_id: snapshot.turn ?? null,
    created_at: new Date(snapshot.created_at).toISOString(),
    files,
    bytes,
  };
}
