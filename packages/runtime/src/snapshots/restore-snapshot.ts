import type { Retake, TakeBackOptions } from "../open-retake.ts";
import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { TakenBack } from "../undo/take-back.ts";

/** P4: puts a snapshot's files back, as one operation of the thread that it was made in. */
export function restoreSnapshot(
  retake: Retake,
  { id, thread, tree, workspace_root: root }: SnapshotRow,
  options: TakeBackOptions = {},
): Promise<TakenBack> {
  if (root !== retake.root) throw new Error(`${id} is a snapshot of ${root}, not of ${retake.root}`);
  return retake.restore(thread, { snapshot: id, tree }, options);
}
