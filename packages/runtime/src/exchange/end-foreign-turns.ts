import { finishTurn, liveTakes, runningTurn } from "@retake/core";
import { RefusedError } from "../undo/thread-files.ts";
import type { ImportPlace } from "../workspace/open-workspace.ts";

/**
 * Ends the turns that were running where a thread comes from. They do not run here, so no file of this workspace is
 * theirs, and nothing that they say of tools is looked up here.
 */
export function endForeignTurns({ threads, identity }: ImportPlace, thread: string): void {
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
    if ("code" in done) throw new RefusedError(done);
  }
}
