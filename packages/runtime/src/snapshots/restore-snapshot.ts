import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { TakenBack } from "../undo/take-back.ts";
import type { TakeBackOptions, Workspace } from "../workspace/open-workspace.ts";

/** P4: puts a snapshot's files back, as one operation of the thread that it was made in. */
export function restoreSnapshot(
  workspace: Workspace,
  { id, thread, tree, workspace_root: root }: SnapshotRow,
  options: TakeBackOptions = {},
): Promise<TakenBack> {
  if (root !== workspace.root) throw new Error(`${id} is a snapshot of ${root}, not of ${workspace.root}`);
  return workspace.restore(thread, { snapshot: id, tree }, options);
}
