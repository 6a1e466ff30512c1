import {
  captureReceiptJson,
  diffFiles,
  HostError,
  listSnapshots,
  type Runtime,
  restoreSnapshot,
  type SnapshotRow,
  snapshotJson,
  takeSnapshot,
} from "@retake/runtime";
import { answer, type Handlers } from "./handler.ts";
import { takeBack } from "./history-handlers.ts";
import { threadFor } from "./thread-for.ts";

/** P4. A snapshot belongs to the workspace it was taken in, and nothing of it is done anywhere else. */
export const snapshotHandlers: Handlers<"listSnapshots" | "takeSnapshot" | "diffSnapshot" | "restoreSnapshot"> = {
  listSnapshots({ runtime, root, query }) {
    const { thread, limit } = query;
    const directory = thread === undefined ? root : runtime.thread(thread).workspace_root;
    return runtime.inDirectory(directory, async (workspace) => {
      const snapshots = [];
      for (const row of listSnapshots(workspace, { thread, ...(limit === undefined ? {} : { limit }) }))
        snapshots.push(await snapshotJson(workspace, row));
      return answer({ snapshots });
    });
  },

  takeSnapshot({ runtime, root, query, body, signal }) {
    const thread = threadFor(runtime, root, body.thread_id ?? query.thread);
    return runtime.inWorkspace(thread, async (workspace) => {
      const taken = await takeSnapshot(workspace, thread, body.label, runtime.capturing(workspace.root, signal));
      if (taken.kind === "refused") return taken;
      const snapshot = {
        ...(await snapshotJson(workspace, taken.snapshot)),
        receipt: captureReceiptJson(taken.receipt),
      };
      return answer({ op_id: null, version: workspace.store.read(thread, ({ state }) => state.version), snapshot });
    });
  },

  diffSnapshot({ runtime, params, query }) {
    const from = snapshotFor(runtime, params.id, query.thread);
    const to = query.to === undefined ? undefined : snapshotFor(runtime, query.to, from.thread);
    return runtime.inWorkspace(from.thread, async (workspace) => {
      const files = workspace.files(from.thread);
      if (to && workspace.files(to.thread) !== files) throw notThere(to.id);
      const after = to ? to.tree : (await files.capture()).id;
      return answer({ files: await diffFiles(files, from.tree, after, { hunks: true }) });
    });
  },

  async restoreSnapshot(asked) {
    const snapshot = snapshotFor(asked.runtime, asked.params.id, asked.query.thread);
    return takeBack(asked, snapshot.thread, (workspace, options) => restoreSnapshot(workspace, snapshot, options));
  },
};

/** Where a thread is named, the snapshot has to be of its workspace. */
function snapshotFor(runtime: Runtime, id: string, thread: string | undefined): SnapshotRow {
  const snapshot = runtime.snapshot(id);
  if (thread !== undefined && runtime.thread(thread).workspace_root !== snapshot.workspace_root) throw notThere(id);
  return snapshot;
}

function notThere(id: string): HostError {
  return new HostError("not-found", `There is no snapshot ${id} in this workspace. Nothing was changed.`);
}
