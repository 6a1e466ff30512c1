import {
  type Context,
  isRefusal,
  type RecordEffect,
  type RecordFacts,
  recordOperation,
  type TakeId,
} from "@retake/core";
import type { WorkspaceFiles } from "@retake/workspace";
import type { ThreadStore } from "../store/thread-store.ts";
import { RefusedError } from "../undo/thread-files.ts";

/**
 * Commits the operations of the agent's records, all or none; a refusal is thrown, to roll them back. Refused progress of
 * a tool is dropped: nobody needs it, and the tool that reported it goes on.
 */
export function commitRecords(
  { store, workspace }: { readonly store: ThreadStore; readonly workspace: WorkspaceFiles },
  place: { readonly thread: string; readonly take: TakeId },
  records: readonly RecordEffect[],
  facts: RecordFacts,
  context: () => Context,
): void {
  workspace.database.transaction(() => {
    for (const record of records) {
      const done = store.change(place.thread, ({ state }) =>
        recordOperation(state, { ...context(), take: place.take }, record, facts),
      );
      const needed = record.kind !== "record-tool-progress";
      if (isRefusal(done) && done.code !== "nothing-to-do" && needed) throw new RefusedError(done);
    }
  });
}
