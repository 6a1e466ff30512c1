import { entries, type State, type TakeId } from "@retake/core";

/** The turns of a take, counted from 1 in the order of the conversation. */
export function turnNumbers(state: State, take: TakeId): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { turn_id } of entries(state, take))
    if (turn_id !== undefined && !numbers.has(turn_id)) numbers.set(turn_id, numbers.size + 1);
  return numbers;
}
