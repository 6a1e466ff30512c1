import { isRefusal, refuse } from "@retake/core";
import { findTurn } from "../names/find-turn.ts";
import { readTurnRequests } from "../runner/turn-requests.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"getTurnRequest"> = async ({ runtime, params: { id, turn }, query }) => {
  runtime.thread(id);
  const found = runtime.store.names(id, (scope) => findTurn(scope, turn));
  if (isRefusal(found)) return found;
  const { requests, unreadable } = await readTurnRequests(runtime.store.directories.state, id, turn);
  const call = requests.findLast(
    ({ step, attempt }) =>
      (query.step === undefined || query.step === step) && (query.attempt === undefined || query.attempt === attempt),
  );
  if (!call && (query.step !== undefined || query.attempt !== undefined))
    return refuse("not-found", "The model was not called that often in this turn.");
  return answer({
    turn_id: turn,
    requests: requests.map(({ step, attempt, at, model, messages }) => ({
      step,
      attempt,
      at,
      model,
      messages: messages.length,
    })),
    request: call ?? null,
    unreadable,
  });
};
