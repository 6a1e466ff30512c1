import { nameProblem, type Refusal, refuse } from "@retake/core";
import type { Receipt, TaskOptions } from "@retake/workspace";
import type { Retake } from "../open-retake.ts";
import type { SnapshotRow } from "../store/snapshot-log.ts";

/** A snapshot that the user asked for. It changes nothing, so it can also be taken while the agent works. */
export async function takeSnapshot(
  retake: Retake,
  thread: string,
  label = "Snapshot",
  options: TaskOptions = {},
): Promise<{ readonly kind: "taken"; readonly snapshot: SnapshotRow; readonly receipt: Receipt } | Refusal> {
  const problem = nameProblem(label);
  if (problem) return refuse("invalid-input", `The label ${problem}. Nothing was captured.`);
  const { id, receipt } = await retake.workspace(thread).capture(options);
  const snapshot: SnapshotRow = {
    id: `S-${retake.identity.id()}`,
    workspace_root: retake.root,
    thread,
    operation: retake.read(thread, ({ state }) => state.head ?? ""),
    kind: "manual",
    label,
    tree: id,
    created_at: retake.identity.now(),
  };
  retake.snapshotLog(thread).add(snapshot);
  return { kind: "taken", snapshot, receipt };
}
