import { switchTake } from "@retake/core";
import type { Action } from "./action.ts";
import { withFiles } from "./shared/with-files.ts";

export const action: Action<"switchTake"> = (asked) =>
  withFiles(asked, asked.params.id, asked.params.take, (workspace, options) =>
    workspace.changeWithFiles(
      asked.params.id,
      ({ state }, context) => switchTake(state, context, { take: asked.params.take }),
      options,
    ),
  );
