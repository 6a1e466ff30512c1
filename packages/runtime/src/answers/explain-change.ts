import {
  activeTake,
  apply,
  type EditEffects,
  entries,
  explainEdit,
  type Operation,
  type State,
  setting,
  settings,
  type TakeId,
  turn,
} from "@retake/core";
import { attachedContents } from "../runner/attach-context.ts";
import { sha256, systemPrompt } from "../runner/model-request.ts";

/**
 * The effects of an operation that changes entries, for the model (X7): a cache that must be filled again, thinking
 * that cannot be sent any more, a call without its result.
 */
export function explainChange(state: State, operation: Operation, places: Places): EditEffects {
  const take = activeTake(state);
  const after = apply(state, operation, () => state);
  // The same on both sides: no change of an entry changes it.
  const system = systemPrompt(settings(state, take));
  const before = [...entries(state, take)];
  return explainEdit({
    before: { entries: before, system },
    after: { entries: [...entries(after, take)], system },
    model: modelOf(state, take, before.findLast((entry) => entry.turn_id !== undefined)?.turn_id),
    hash: sha256,
    attached: attachedContents(state, take, places),
  });
}

type Places = Parameters<typeof attachedContents>[2];

/** The model that would be asked next. */
function modelOf(state: State, take: TakeId, lastTurn: string | undefined): string {
  const last = lastTurn === undefined ? undefined : turn(state, take, lastTurn)?.model;
  return setting(state, take, "model") || (last ?? "");
}
