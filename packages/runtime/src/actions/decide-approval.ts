import { isRefusal } from "@retake/core";
import { type Action, answer } from "./action.ts";

export const action: Action<"decideApproval"> = ({ runtime, params, body }) => {
  runtime.thread(params.id);
  const { id: thread, turn: turn_id, call: call_id } = params;
  const { decision, reason } = body;
  const word = decision === "deny" && reason !== undefined ? { denied: reason } : decision;
  const given = runtime.turns.decide(thread, turn_id, call_id, word);
  if (isRefusal(given)) return given;
  const version = runtime.read(thread, ({ state }) => state.version);
  const { entry: _, ...approval } = given;
  return answer({ op_id: null, version, turn_id, call_id, decision, approval: approval as never });
};
