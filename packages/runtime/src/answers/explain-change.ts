import { createHash } from "node:crypto";
import {
  activeTake,
  apply,
  type EditEffects,
  entries,
  explainEdit,
  type Operation,
  type State,
  setting,
  type TakeId,
  turn,
} from "@retake/core";

/**
 * What an operation that changes entries breaks for the model (X7): a cache that must be filled again,
 * thinking that cannot be sent any more, a call without its result.
 */
export function explainChange(state: State, operation: Operation): EditEffects {
  const take = activeTake(state);
  const after = apply(state, operation, () => state);
  const system = systemPrompt(state, take);
  const before = [...entries(state, take)];
  return explainEdit({
    before: { entries: before, system },
    after: { entries: [...entries(after, take)], system },
    model: modelOf(state, take, before.findLast((entry) => entry.turn_id !== undefined)?.turn_id),
    hash: (text) => createHash("sha256").update(text).digest("hex"),
  });
}

/** The model that would be asked next. */
function modelOf(state: State, take: TakeId, lastTurn: string | undefined): string {
  const last = lastTurn === undefined ? undefined : turn(state, take, lastTurn)?.model;
  return setting(state, take, "model") || (last ?? "");
}

/** The same on both sides: no change of an entry changes it. */
function systemPrompt(state: State, take: TakeId): string {
  return (["base_system_prompt", "global_system_prompt", "project_system_prompt"] as const)
    .map((field) => setting(state, take, field))
    .filter((text) => text !== "")
    .join("\n\n");
}
