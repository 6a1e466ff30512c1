import { changedOutcome } from "../answers/changed-answer.ts";
import { deleteThread } from "../threads/delete-thread.ts";
import type { Action } from "./action.ts";

export const action: Action<"deleteThread"> = ({ runtime, params, change }) =>
  runtime.inWorkspace(params.id, (workspace) => {
    const done = deleteThread(workspace, runtime.thread(params.id), change);
    return changedOutcome(workspace.store, params.id, done, () => ({
      thread: params.id,
      current: workspace.currentThread()?.id ?? null,
      still_shared: runtime.sync.readersOf(params.id).length > 0,
    }));
  });
