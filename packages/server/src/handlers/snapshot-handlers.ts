import {
  captureReceiptJson,
  diffFiles,
  type Host,
  HostError,
  listSnapshots,
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
  listSnapshots({ host, root, query }) {
    const { thread, limit } = query;
    const directory = thread === undefined ? root : host.thread(thread).workspace_root;
    return host.inDirectory(directory, async (retake) => {
      const snapshots = [];
      for (const row of listSnapshots(retake, { thread, ...(limit === undefined ? {} : { limit }) }))
        snapshots.push(await snapshotJson(retake, row));
      return answer({ snapshots });
    });
  },

  takeSnapshot({ host, root, query, body, signal }) {
    const thread = threadFor(host, root, body.thread_id ?? query.thread);
    return host.inWorkspace(thread, async (retake) => {
      const taken = await takeSnapshot(retake, thread, body.label, host.capturing(retake.root, signal));
      if (taken.kind === "refused") return taken;
      const snapshot = { ...(await snapshotJson(retake, taken.snapshot)), receipt: captureReceiptJson(taken.receipt) };
      return answer({ op_id: null, version: retake.read(thread, ({ state }) => state.version), snapshot });
    });
  },

  diffSnapshot({ host, params, query }) {
    const from = snapshotFor(host, params.id, query.thread);
    const to = query.to === undefined ? undefined : snapshotFor(host, query.to, from.thread);
    return host.inWorkspace(from.thread, async (retake) => {
      const workspace = retake.workspace(from.thread);
      if (to && retake.workspace(to.thread) !== workspace) throw notThere(to.id);
      const after = to ? to.tree : (await workspace.capture()).id;
      return answer({ files: await diffFiles(workspace, from.tree, after, { hunks: true }) });
    });
  },

  async restoreSnapshot(asked) {
    const snapshot = snapshotFor(asked.host, asked.params.id, asked.query.thread);
    return takeBack(asked, snapshot.thread, (retake, options) => restoreSnapshot(retake, snapshot, options));
  },
};

/** Where a thread is named, the snapshot has to be of its workspace. */
function snapshotFor(host: Host, id: string, thread: string | undefined): SnapshotRow {
  const snapshot = host.snapshot(id);
  if (thread !== undefined && host.thread(thread).workspace_root !== snapshot.workspace_root) throw notThere(id);
  return snapshot;
}

function notThere(id: string): HostError {
  return new HostError("not-found", `There is no snapshot ${id} in this workspace. Nothing was changed.`);
}
