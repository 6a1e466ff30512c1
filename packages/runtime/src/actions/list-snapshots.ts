import { snapshotJson } from "../answers/snapshot-json.ts";
import { listSnapshots } from "../snapshots/find-snapshots.ts";
import { type Action, answer } from "./action.ts";
import { threadNamed } from "./shared/names.ts";

export const action: Action<"listSnapshots"> = ({ runtime, root, query }) => {
  const { limit } = query;
  const thread = query.thread === undefined ? undefined : threadNamed({ runtime, root }, query.thread);
  const directory = thread === undefined ? root : runtime.thread(thread).workspace_root;
  return runtime.inDirectory(directory, async (workspace) => {
    const snapshots = [];
    for (const row of listSnapshots(workspace, { thread, ...(limit === undefined ? {} : { limit }) }))
      snapshots.push(await snapshotJson(workspace, row));
    return answer({ snapshots });
  });
};
