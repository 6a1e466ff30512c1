import { changedWithFilesOutcome } from "../../answers/changed-answer.ts";
import type { ChangedWithFiles } from "../../undo/take-back.ts";
import type { TakeBackOptions, Workspace } from "../../workspace/open-workspace.ts";
import { takeAnswer } from "./take-answer.ts";
import { optionsOf, type TakeBackCall } from "./take-back.ts";

/** A change that the files of the thread's workspace follow. */
export function withFiles(
  call: TakeBackCall,
  thread: string,
  take: string,
  change: (workspace: Workspace, options: TakeBackOptions) => Promise<ChangedWithFiles>,
) {
  const options = optionsOf(call, thread);
  return call.runtime.work(thread, async (workspace) =>
    changedWithFilesOutcome(workspace.store, thread, await change(workspace, options), takeAnswer(take)),
  );
}
