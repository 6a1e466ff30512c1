import type { Routes } from "@retake/client/routes";
import { refuse } from "@retake/core";
import type { ActionCall } from "../action.ts";
import { takeBack } from "./take-back.ts";

export async function undoTurns(call: ActionCall<Routes["undo"]>) {
  const { turns, depth, steps, scope, keep_prompt } = call.body;
  const counts = [turns, depth, steps].filter((each) => each !== undefined);
  if (counts.length > 1) return refuse("invalid-input", "Say turns, depth or steps, one of them. Nothing was changed.");
  const request = {
    count: steps ?? turns ?? (depth ?? 0) + 1,
    steps: steps !== undefined,
    keep_prompt: keep_prompt === true,
    ...(scope === undefined ? {} : { scope }),
  };
  return takeBack(call, call.params.id, (workspace, options) => workspace.undo(call.params.id, request, options));
}
