import { isRefusal } from "@retake/core";
import { turnAnswer } from "../answers/turns-answer.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"continueTurns"> = async ({ runtime, params, body }) => {
  const { workspace_root: root } = runtime.thread(params.id);
  const queued = await runtime.turns.continuePaused({ thread: params.id, root, turn: body.turn });
  if (isRefusal(queued)) return queued;
  return runtime.read(params.id, (history) => {
    const turns = queued.map((each) => turnAnswer(history, each.id, each));
    return answer({ op_id: null, version: history.state.version, turns: turns as never[] });
  });
};
