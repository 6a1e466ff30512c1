import { branch } from "@retake/core";
import type { Action } from "./action.ts";
import { withFiles } from "./shared/with-files.ts";

export const action: Action<"branch"> = (asked) => {
  const { runtime, params, body } = asked;
  const take = runtime.store.identity.id();
  return withFiles(asked, params.id, take, (workspace, options) =>
    workspace.changeWithFiles(
      params.id,
      (history, context) => branch(history, context, { entry: body.entry, take }),
      options,
    ),
  );
};
