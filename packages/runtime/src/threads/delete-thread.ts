import { changeThread, isRefusal, type Operation, type Refusal, refuse } from "@retake/core";
import type { ChangeOptions, Retake } from "../open-retake.ts";
import type { ThreadSummary } from "../store/thread-store.ts";

/** D5: deletes a thread, softly; never the last of its workspace. When the current one goes, the first by name takes its place. */
export function deleteThread(
  retake: Retake,
  { id, title }: ThreadSummary,
  options: ChangeOptions = {},
): Operation | Refusal {
  const current = retake.currentThread()?.id;
  const done = retake.change(
    id,
    (state, context) => {
      if (threadsBeside(retake, id).length === 0)
        return refuse("last-take", `${title} is the only discussion left and cannot be deleted. Nothing was changed.`);
      return changeThread(state, context, { facts: { deleted: true } });
    },
    options,
  );
  // Deleting is a change too: without a choice another thread than the current one could be the most recent.
  const next = current === id ? threadsBeside(retake, id)[0]?.id : current;
  if (!isRefusal(done) && next !== undefined) retake.chooseThread(next);
  return done;
}

/** The other threads of the workspace, by name. */
function threadsBeside(retake: Retake, thread: string): ThreadSummary[] {
  return retake
    .threads()
    .filter(({ id }) => id !== thread)
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}
