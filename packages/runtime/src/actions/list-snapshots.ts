import { snapshotJson } from "../answers/snapshot-json.ts";
import { listSnapshots } from "../snapshots/find-snapshots.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"listSnapshots"> = ({ runtime, root, query }) => {
  const { thread, limit } = query;
  const directory = thread === undefined ? root : runtime.thread(thread).workspace_root;
  return runtime.inDirectory(directory, async (workspace) => {
    const snapshots = [];
    for (const row of listSnapshots(workspace, { thread, ...(limit === undefined ? {} : { limit }) }))
      snapshots.push(await snapshotJson(workspace, row));
    return answer({ snapshots });
  });
};
