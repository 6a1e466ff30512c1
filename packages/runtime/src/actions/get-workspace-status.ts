import { workspaceStatus } from "../answers/workspace-status.ts";
import { StoredQueue } from "../host/stored-queue.ts";
import { type Action, answer } from "./action.ts";
import { existingDirectory } from "./shared/existing-directory.ts";
import { threadNamed } from "./shared/names.ts";

export const action: Action<"getWorkspaceStatus"> = async ({ runtime, root, query }) => {
  const directory = existingDirectory(runtime, query.workspace ?? root);
  const named = query.thread === undefined ? undefined : threadNamed({ runtime, root: directory }, query.thread);
  const thread = named ?? runtime.current(directory)?.id;
  if (thread !== undefined) await runtime.settled(thread);
  const sync = await runtime.sync.summary();
  return runtime.inDirectory(directory, async (workspace) => {
    const status = await workspaceStatus(workspace, thread);
    const queue = thread === undefined ? [] : new StoredQueue(runtime.store).of(thread);
    return answer({ ...status, queue, sync });
  });
};
