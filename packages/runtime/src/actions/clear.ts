import { clearEntries } from "@retake/core";
import type { Action } from "./action.ts";

export const action: Action<"clear"> = ({ runtime, params, change }) =>
  runtime.change(params.id, clearEntries, change, () => ({}));
