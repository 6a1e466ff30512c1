import { diffFiles } from "../answers/diff-files.ts";
import { type Action, answer } from "./action.ts";
import { notThere, snapshotFor } from "./shared/snapshot-for.ts";

export const action: Action<"diffSnapshot"> = ({ runtime, root, params, query }) => {
  const from = snapshotFor({ runtime, root }, params.id, query.thread);
  const to = query.to === undefined ? undefined : snapshotFor({ runtime, root }, query.to, from.thread);
  return runtime.inWorkspace(from.thread, async (workspace) => {
    const files = workspace.files(from.thread);
    if (to && workspace.files(to.thread) !== files) throw notThere(to.id);
    const after = to ? to.tree : (await files.capture()).id;
    return answer({ files: await diffFiles(files, from.tree, after, { hunks: true }) });
  });
};
