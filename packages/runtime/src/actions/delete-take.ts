import { deleteTake } from "@retake/core";
import type { Action } from "./action.ts";
import { withFiles } from "./shared/with-files.ts";

export const action: Action<"deleteTake"> = (call) =>
  withFiles(call, call.params.take, ({ state }, context) => deleteTake(state, context, { take: call.params.take }));
