import { isRefusal } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { queuedAnswer } from "./shared/queued-answer.ts";

export const action: Action<"tryNow"> = ({ runtime, params }) => {
  runtime.thread(params.id);
  const tried = runtime.turns.tryNow(params.id, params.turn);
  return isRefusal(tried) ? tried : answer(queuedAnswer(runtime, params.id, tried));
};
