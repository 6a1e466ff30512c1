import type { Action } from "./action.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"bringFiles"> = (call) =>
  takeBack(call, call.params.id, (workspace, options) => workspace.bringFiles(call.params.id, options));
