import { captureReceiptJson } from "../answers/capture-receipt-json.ts";
import { snapshotJson } from "../answers/snapshot-json.ts";
import { takeSnapshot } from "../snapshots/take-snapshot.ts";
import { type Action, answer } from "./action.ts";
import { threadFor } from "./shared/thread-for.ts";

export const action: Action<"takeSnapshot"> = async ({ runtime, root, query, body, signal }) => {
  const thread = await threadFor(runtime, root, body.thread_id ?? query.thread);
  return runtime.inWorkspace(thread, async (workspace) => {
    const taken = await takeSnapshot(workspace, thread, body.label, runtime.capturing(workspace.root, signal));
    if (taken.kind === "refused") return taken;
    const snapshot = {
      ...(await snapshotJson(workspace, taken.snapshot)),
      receipt: captureReceiptJson(taken.receipt),
    };
    return answer({ op_id: null, version: workspace.store.read(thread, ({ state }) => state.version), snapshot });
  });
};
