import { deleteTake } from "@retake/core";
import type { Action } from "./action.ts";
import { withFiles } from "./shared/with-files.ts";

export const action: Action<"deleteTake"> = (call) =>
  withFiles(call, call.params.id, call.params.take, (workspace, options) =>
    workspace.changeWithFiles(
      call.params.id,
      ({ state }, context) => deleteTake(state, context, { take: call.params.take }),
      options,
    ),
  );
