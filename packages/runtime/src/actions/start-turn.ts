import { isRefusal } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { queuedAnswer } from "./shared/queued-answer.ts";
import { turnInput } from "./shared/turn-input.ts";

export const action: Action<"startTurn"> = async ({ runtime, params, body, change }) => {
  const queued = await runtime.turns.submit(turnInput(runtime, params.id, body, change));
  if (isRefusal(queued)) return queued;
  return answer({ ...queuedAnswer(runtime, params.id, queued), thread_id: params.id, status: "queued" as const });
};
