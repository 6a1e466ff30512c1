import { type Action, answer } from "./action.ts";
import { takeNamed } from "./shared/names.ts";
import { settingsOf } from "./shared/settings-of.ts";

export const action: Action<"getSettings"> = ({ runtime, params, query }) =>
  answer(runtime.read(params.id, ({ state }) => settingsOf(state, takeNamed(state, query.take))));
