import { changeThread, isRefusal, type Operation, type Refusal, refuse } from "@retake/core";
import type { ChangeOptions } from "../store/open-store.ts";
import type { ThreadSummary } from "../store/thread-store.ts";
import type { Workspace } from "../workspace/open-workspace.ts";

/**
 * D5: deletes a thread so that undo can bring it back; never the last one of its workspace. When the current thread is
 * deleted, the first one by name becomes current.
 */
export function deleteThread(
  workspace: Workspace,
  { id, title }: ThreadSummary,
  options: ChangeOptions = {},
): Operation | Refusal {
  const current = workspace.currentThread()?.id;
  const done = workspace.store.change(
    id,
    (state, context) => {
      if (threadsBeside(workspace, id).length === 0)
        return refuse("last-take", `${title} is the only thread left and cannot be deleted. Nothing was changed.`);
      return changeThread(state, context, { facts: { deleted: true } });
    },
    options,
  );
  // Deleting is a change too: without an explicit choice, the deleted thread would be the most recent.
  const next = current === id ? threadsBeside(workspace, id)[0]?.id : current;
  if (!isRefusal(done) && next !== undefined) workspace.store.chooseThread(workspace.root, next);
  return done;
}

/** The other threads of the workspace, by name. */
function threadsBeside(workspace: Workspace, thread: string): ThreadSummary[] {
  return workspace
    .threads()
    .filter(({ id }) => id !== thread)
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}
