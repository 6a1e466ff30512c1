import type { Routes } from "@retake/client/routes";
import { refuse } from "@retake/core";
import { findTurn } from "../../names/find-turn.ts";
import type { ActionCall } from "../action.ts";
import { lookUp } from "./names.ts";
import { takeBack } from "./take-back.ts";

export async function undoTurns(call: ActionCall<Routes["undo"]>) {
  const { turns, depth, steps, to, scope, keep_prompt } = call.body;
  const amounts = [turns, depth, steps, to].filter((each) => each !== undefined);
  if (amounts.length > 1)
    return refuse("invalid-input", "Say turns, depth, steps or to, one of them. Nothing was changed.");
  const last = to === undefined ? undefined : lookUp(call, call.params.id, (scope) => findTurn(scope, to));
  const request = {
    count: steps ?? turns ?? (depth ?? 0) + 1,
    steps: steps !== undefined,
    keep_prompt: keep_prompt === true,
    ...(scope === undefined ? {} : { scope }),
    ...(last && { until: last.operation }),
  };
  return takeBack(call, call.params.id, (workspace, options) => workspace.undo(call.params.id, request, options));
}
