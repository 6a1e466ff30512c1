import { snapshotFacts, snapshotJson } from "../answers/snapshot-json.ts";
import { shortId } from "../names/short-id.ts";
import { listSnapshots } from "../snapshots/find-snapshots.ts";
import { type Action, answer } from "./action.ts";
import { threadNamed } from "./shared/names.ts";

export const action: Action<"listSnapshots"> = ({ runtime, root, query }) => {
  const { limit, trees = true } = query;
  const thread = query.thread === undefined ? undefined : threadNamed({ runtime, root }, query.thread);
  const directory = thread === undefined ? root : runtime.thread(thread).workspace_root;
  return runtime.inDirectory(directory, async (workspace) => {
    const logs = workspace.store.snapshotLogs();
    const snapshots = [];
    for (const row of listSnapshots(workspace, { thread, limit })) {
      const facts = trees ? await snapshotJson(workspace, row) : { ...snapshotFacts(workspace, row), tree: null };
      const around = logs.flatMap((log) => log.around(row.id));
      snapshots.push({ ...facts, name: shortId(row.id, around) });
    }
    return answer({ snapshots });
  });
};
