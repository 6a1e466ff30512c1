import { type Action, answer } from "./action.ts";
import { settingsOf } from "./shared/settings-of.ts";

export const action: Action<"getSettings"> = ({ runtime, params }) =>
  answer(runtime.read(params.id, ({ state }) => settingsOf(state)));
