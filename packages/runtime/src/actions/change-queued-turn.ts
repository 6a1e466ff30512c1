import { isRefusal } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { queuedAnswer } from "./shared/queued-answer.ts";

export const action: Action<"changeQueuedTurn"> = async ({ runtime, params, body }) => {
  runtime.thread(params.id);
  const changed = await runtime.turns.changeQueued(params.id, params.turn, body);
  return isRefusal(changed) ? changed : answer(queuedAnswer(runtime, params.id, changed));
};
