import { showAllEntries } from "@retake/core";
import type { Action } from "./action.ts";

export const action: Action<"showEntries"> = ({ runtime, params, body, change }) =>
  runtime.change(
    params.id,
    (state, context) => showAllEntries(state, context, body),
    change,
    () => ({}),
  );
