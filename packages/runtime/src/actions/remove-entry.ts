import { type Context, removeEntry, type State } from "@retake/core";
import type { Action } from "./action.ts";
import { changeEntry } from "./shared/change-entry.ts";

export const action: Action<"removeEntry"> = ({ runtime, params, query, change }) => {
  const build = (state: State, context: Context) => removeEntry(state, context, { entry: params.entry });
  return changeEntry(runtime, { thread: params.id, entry: params.entry, query, change }, build);
};
