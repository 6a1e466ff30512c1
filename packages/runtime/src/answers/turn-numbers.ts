import { recordsOf, type State, type TakeId } from "@retake/core";

/** The numbers of a take's turns, by their ids, in their order. A turn keeps its number whatever is undone or removed. */
export function turnNumbers(state: State, take: TakeId): Map<string, number> {
  const numbers = [...recordsOf(state, take, "turn")].map(([id, turn]) => [id, Number(turn["number"])] as const);
  return new Map(numbers.sort(([, a], [, b]) => a - b));
}
