import type { Built, Context, History } from "@retake/core";
import { changedWithFilesOutcome } from "../../answers/changed-answer.ts";
import { takeAnswer } from "./take-answer.ts";
import { optionsOf, type TakeBackCall } from "./take-back.ts";

/** Commits an operation about a take that the files of the thread's workspace follow. */
export function withFiles(
  call: TakeBackCall & { readonly params: { readonly id: string } },
  take: string,
  build: (history: History, context: Context) => Built,
) {
  const { id } = call.params;
  const options = optionsOf(call, id);
  return call.runtime.work(id, async (workspace) => {
    const done = await workspace.changeWithFiles(id, build, options);
    return changedWithFilesOutcome(workspace.store, id, done, takeAnswer(take));
  });
}
