import { type OperationId, refuse, relate } from "@retake/core";
import type { ThreadStore } from "../store/thread-store.ts";
import { RefusedError } from "../undo/thread-files.ts";

/** Takes a thread forward to a head from elsewhere, whose operations are stored by now, where it is ahead of ours. */
export function adoptHead(threads: ThreadStore, thread: string, theirs: OperationId): void {
  const relation = threads.has(thread)
    ? threads.read(thread, (history) => relate(history, history.state.head ?? "", theirs))
    : ({ kind: "ahead" } as const);
  if (relation.kind === "ahead") threads.forward(thread, theirs);
  if (relation.kind === "diverged" || relation.kind === "unrelated")
    throw new RefusedError(
      refuse(
        "already-exists",
        "This discussion was changed here and in the bundle, each without the other. They cannot be brought together yet. Nothing was changed.",
      ),
    );
}
