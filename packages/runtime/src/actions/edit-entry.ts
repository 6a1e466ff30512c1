import { type Context, type Json, patchEntry, type State } from "@retake/core";
import type { Action } from "./action.ts";
import { changeEntry } from "./shared/change-entry.ts";

export const action: Action<"editEntry"> = ({ runtime, params, query, body, change }) => {
  const { typing, ...patch } = body;
  const build = (state: State, context: Context) =>
    patchEntry(state, context, {
      entry: params.entry,
      patch: patch as Record<string, Json>,
      typing: typing === true,
    });
  return changeEntry(runtime, { thread: params.id, entry: params.entry, query, change }, build);
};
