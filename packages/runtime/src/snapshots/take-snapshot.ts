import { nameProblem, type Refusal, refuse } from "@retake/core";
import type { Receipt, TaskOptions } from "@retake/workspace";
import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { Workspace } from "../workspace/open-workspace.ts";

/** Takes a snapshot for the user. It changes nothing, so it can also be taken while the agent works. */
export async function takeSnapshot(
  workspace: Workspace,
  thread: string,
  label = "Snapshot",
  options: TaskOptions = {},
): Promise<{ readonly kind: "taken"; readonly snapshot: SnapshotRow; readonly receipt: Receipt } | Refusal> {
  const problem = nameProblem(label);
  if (problem) return refuse("invalid-input", `The label ${problem}. Nothing was captured.`);
  const { id, receipt } = await workspace.files(thread).capture(options);
  const snapshot: SnapshotRow = {
    id: `S-${workspace.store.identity.id()}`,
    workspace_root: workspace.root,
    thread,
    operation: workspace.store.read(thread, ({ state }) => state.head ?? ""),
    kind: "manual",
    label,
    tree: id,
    created_at: workspace.store.identity.now(),
  };
  workspace.store.snapshotLog(thread).add(snapshot);
  return { kind: "taken", snapshot, receipt };
}
