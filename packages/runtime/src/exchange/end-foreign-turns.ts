import { finishTurn, isRefusal, liveTakes, runningTurn } from "@retake/core";
import type { Store } from "../store/open-store.ts";
import { SyncRows } from "../store/sync-rows.ts";
import { RefusedError } from "../undo/thread-files.ts";
import type { ImportPlace } from "../workspace/open-workspace.ts";

/**
 * Ends the turns that were running where a thread comes from, and answers their ids. They do not run here, so no file of
 * this workspace is theirs, and nothing that they say of tools is looked up here.
 */
export function endForeignTurns(
  { threads, identity }: Pick<ImportPlace, "threads" | "identity">,
  thread: string,
): string[] {
  const own = threads.ownTurns(thread);
  const foreign = threads.read(thread, ({ state }) =>
    liveTakes(state).flatMap(({ id: take }) => {
      const turn_id = runningTurn(state, take);
      return turn_id === undefined || own.has(turn_id) ? [] : [{ take, turn_id }];
    }),
  );
  for (const { take, turn_id } of foreign) {
    const context = { ...identity.context({ kind: "system" }), take };
    const done = threads.change(thread, ({ state }) => finishTurn(state, context, { turn_id, status: "interrupted" }));
    if (isRefusal(done)) throw new RefusedError(done);
  }
  return foreign.map(({ turn_id }) => turn_id);
}

/** A turn that another machine began, and may go on with. */
export interface ForeignTurn {
  readonly thread: string;
  readonly turn: string;
  readonly elsewhere: true;
}

/** The same for the synced threads of a workspace, or for one of them. */
export function endForeignTurnsIn({ shared, identity }: Store, root: string, only: string | undefined): ForeignTurn[] {
  const { threads, database } = shared;
  const synced = new SyncRows(database).threads();
  return threads
    .list(root)
    .filter(({ id }) => synced.has(id) && (only === undefined || only === id))
    .flatMap(({ id: thread }) =>
      endForeignTurns({ threads, identity }, thread).map((turn) => ({ thread, turn, elsewhere: true })),
    );
}
