import { replaceEntries } from "@retake/core";
import type { Action } from "./action.ts";
import { listed } from "./shared/entry-page.ts";
import { withIds } from "./shared/with-ids.ts";

export const action: Action<"replaceEntries"> = ({ runtime, params, body, change }) =>
  runtime.change(
    params.id,
    (state, context) => replaceEntries(state, context, { entries: withIds(runtime, body.entries) }),
    change,
    (state) => ({ entries: listed(state) }),
  );
