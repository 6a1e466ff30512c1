import { resetSession } from "@retake/core";
import type { Action } from "./action.ts";

export const action: Action<"reset"> = async ({ runtime, params, change }) => {
  const outcome = await runtime.change(params.id, resetSession, change, () => ({}));
  if (outcome.kind === "answer") runtime.clearQueue(params.id);
  return outcome;
};
