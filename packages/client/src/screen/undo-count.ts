import { liveGroups, type Window } from "@retake/core";

/**
 * How many turns and changes of the whole thread an undo takes until a turn is gone, that one included; undefined where the
 * window does not go back as far as the turn.
 */
export function undoCount({ state, take }: Pick<Window, "state" | "take">, turn: string): number | undefined {
  let count = 0;
  for (const { record } of liveGroups(state, take)) {
    if (record.role !== "turn" && record.role !== "whole") continue;
    count += 1;
    if (record.turn_id === turn) return count;
  }
  return undefined;
}
