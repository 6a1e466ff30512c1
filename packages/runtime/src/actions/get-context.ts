import { type Action, answer } from "./action.ts";
import { contextOf } from "./shared/settings-of.ts";

export const action: Action<"getContext"> = ({ runtime, params }) =>
  answer(runtime.read(params.id, ({ state }) => contextOf(state)));
