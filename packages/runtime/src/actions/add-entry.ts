import { type Context, type EntryInput, insertEntry, type State } from "@retake/core";
import { findEntry } from "../names/find-entry.ts";
import type { Action } from "./action.ts";
import { changeEntry } from "./shared/change-entry.ts";
import { lookUp } from "./shared/names.ts";

export const action: Action<"addEntry"> = ({ runtime, params, query, body, change }) => {
  const { before, index, ...given } = body;
  const entry = { ...given, id: given.id ?? runtime.store.identity.entryId() } as EntryInput;
  const next =
    before === undefined ? undefined : lookUp({ runtime, change }, params.id, (scope) => findEntry(scope, before));
  const place = {
    ...(next === undefined ? {} : { before: next.id }),
    ...(index === undefined ? {} : { index }),
  };
  const build = (state: State, context: Context) => insertEntry(state, context, { entry, ...place });
  return changeEntry(runtime, { thread: params.id, entry: entry.id, query, change }, build);
};
