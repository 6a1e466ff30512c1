import { switchTake } from "@retake/core";
import type { Action } from "./action.ts";
import { withFiles } from "./shared/with-files.ts";

export const action: Action<"switchTake"> = (call) =>
  withFiles(call, call.params.take, ({ state }, context) => switchTake(state, context, { take: call.params.take }));
