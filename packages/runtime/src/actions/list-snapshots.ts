import { snapshotFacts, snapshotJson } from "../answers/snapshot-json.ts";
import { shortIds } from "../names/short-ids.ts";
import { listSnapshots } from "../snapshots/find-snapshots.ts";
import { type Action, answer } from "./action.ts";
import { threadNamed } from "./shared/names.ts";

export const action: Action<"listSnapshots"> = ({ runtime, root, query }) => {
  const { limit, trees = true } = query;
  const thread = query.thread === undefined ? undefined : threadNamed({ runtime, root }, query.thread);
  const directory = thread === undefined ? root : runtime.thread(thread).workspace_root;
  return runtime.inDirectory(directory, async (workspace) => {
    const nameOf = shortIds(workspace.store.snapshotLogs().flatMap((log) => log.ids(workspace.root)));
    const snapshots = [];
    for (const row of listSnapshots(workspace, { thread, limit })) {
      const facts = trees ? await snapshotJson(workspace, row) : { ...snapshotFacts(workspace, row), tree: null };
      snapshots.push({ ...facts, name: nameOf(row.id) });
    }
    return answer({ snapshots });
  });
};
