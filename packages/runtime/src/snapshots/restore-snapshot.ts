import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { TakeBackResult } from "../undo/take-back.ts";
import type { TakeBackOptions, Workspace } from "../workspace/open-workspace.ts";

/** P4: restores a snapshot's files, as one operation of the thread in which it was made. */
export function restoreSnapshot(
  workspace: Workspace,
  { id, thread, tree, workspace_root: root }: SnapshotRow,
  options: TakeBackOptions = {},
): Promise<TakeBackResult> {
  if (root !== workspace.root) throw new Error(`${id} is a snapshot of ${root}, not of ${workspace.root}`);
  return workspace.restore(thread, { snapshot: id, tree }, options);
}
