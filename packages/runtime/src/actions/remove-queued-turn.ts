import { isRefusal } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { queuedAnswer } from "./shared/queued-answer.ts";

export const action: Action<"removeQueuedTurn"> = ({ runtime, params }) => {
  runtime.thread(params.id);
  const removed = runtime.turns.removeQueued(params.id, params.turn);
  return isRefusal(removed) ? removed : answer(queuedAnswer(runtime, params.id, removed));
};
