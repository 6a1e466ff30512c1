import { deleteTake } from "@retake/core";
import type { Action } from "./action.ts";
import { withFiles } from "./shared/with-files.ts";

export const action: Action<"deleteTake"> = (asked) =>
  withFiles({ ...asked, body: asked.query }, asked.params.id, asked.params.take, (workspace, options) =>
    workspace.changeWithFiles(
      asked.params.id,
      ({ state }, context) => deleteTake(state, context, { take: asked.params.take }),
      options,
    ),
  );
