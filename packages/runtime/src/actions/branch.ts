import { branch } from "@retake/core";
import { findBranchEntry } from "../names/find-entry.ts";
import type { Action } from "./action.ts";
import { lookUp } from "./shared/names.ts";
import { withFiles } from "./shared/with-files.ts";

export const action: Action<"branch"> = (asked) => {
  const { runtime, params, body } = asked;
  const take = runtime.store.identity.id();
  const entry = lookUp(asked, params.id, (scope) => findBranchEntry(scope, body.entry)).id;
  const input = { entry, take, ...(body.content === undefined ? {} : { content: body.content }) };
  return withFiles(asked, params.id, take, (workspace, options) =>
    workspace.changeWithFiles(params.id, (history, context) => branch(history, context, input), options),
  );
};
