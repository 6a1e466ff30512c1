import { type Action, answer } from "./action.ts";
import { rolesOf } from "./shared/settings-of.ts";

export const action: Action<"getRoles"> = ({ runtime, params }) =>
  answer(runtime.read(params.id, ({ state }) => rolesOf(state)));
