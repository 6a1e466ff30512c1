import { changeThread, type Operation, type Refusal, refuse } from "@retake/core";
import type { ChangeOptions, Retake } from "../open-retake.ts";
import type { ThreadSummary } from "../store/thread-store.ts";

/** D5: deletes a thread, softly; never the last of its workspace. */
export function deleteThread(
  retake: Retake,
  { id, title }: ThreadSummary,
  options: ChangeOptions = {},
): Operation | Refusal {
  return retake.change(
    id,
    (state, context) => {
      if (threadsBeside(retake, id).length === 0)
        return refuse("last-take", `${title} is the only discussion left and cannot be deleted. Nothing was changed.`);
      return changeThread(state, context, { facts: { deleted: true } });
    },
    options,
  );
}

/** The other threads of the workspace by name: the first takes the place of one that is deleted. */
export function threadsBeside(retake: Retake, thread: string): ThreadSummary[] {
  return retake
    .threads()
    .filter(({ id }) => id !== thread)
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}
