import type { Action } from "./action.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"redo"> = (call) =>
  takeBack(call, call.params.id, (workspace, options) => workspace.redo(call.params.id, call.body.count ?? 1, options));
