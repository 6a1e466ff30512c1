import { type Context, type EntryInput, insertEntry, type State } from "@retake/core";
import type { Action } from "./action.ts";
import { changeEntry } from "./shared/change-entry.ts";

export const action: Action<"addEntry"> = ({ runtime, params, query, body, change }) => {
  const { before, index, ...given } = body;
  const entry = { ...given, id: given.id ?? runtime.store.identity.id() } as EntryInput;
  const place = {
    ...(before === undefined ? {} : { before }),
    ...(index === undefined ? {} : { index }),
  };
  const build = (state: State, context: Context) => insertEntry(state, context, { entry, ...place });
  return changeEntry(runtime, { thread: params.id, entry: entry.id, query, change }, build);
};
