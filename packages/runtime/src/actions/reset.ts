import { resetSession } from "@retake/core";
import type { Action } from "./action.ts";

export const action: Action<"reset"> = ({ runtime, params, change }) =>
  runtime.change(params.id, resetSession, change, () => ({}));
