import { branch } from "@retake/core";
import { findBranchEntry } from "../names/find-entry.ts";
import type { Action } from "./action.ts";
import { lookUp } from "./shared/names.ts";
import { withFiles } from "./shared/with-files.ts";

export const action: Action<"branch"> = (call) => {
  const { runtime, params, body } = call;
  const take = runtime.store.identity.id();
  const entry = lookUp(call, params.id, (scope) => findBranchEntry(scope, body.entry)).id;
  const input = { entry, take, ...(body.content === undefined ? {} : { content: body.content }) };
  return withFiles(call, take, (history, context) => branch(history, context, input));
};
