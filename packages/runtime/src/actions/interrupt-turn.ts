import { ActionError } from "../host/action-error.ts";
import { type Action, answer } from "./action.ts";
import { queuedAnswer } from "./shared/queued-answer.ts";

export const action: Action<"interruptTurn"> = async ({ runtime, params }) => {
  runtime.thread(params.id);
  const ended = await runtime.turns.interrupt(params.id, params.turn);
  if (!ended)
    throw new ActionError("no-such-turn", "No turn of that id waits or runs in this thread here. Nothing was changed.");
  const found = queuedAnswer(runtime, params.id, ended);
  return answer({ ...found, status: found.turn.status });
};
