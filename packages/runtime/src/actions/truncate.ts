import { truncateEntries } from "@retake/core";
import type { Action } from "./action.ts";

export const action: Action<"truncate"> = ({ runtime, params, body, change }) =>
  runtime.change(
    params.id,
    (state, context) => truncateEntries(state, context, body),
    change,
    () => ({}),
  );
