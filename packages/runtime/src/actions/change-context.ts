import { addPath, removePath } from "@retake/core";
import type { Action } from "./action.ts";
import { contextOf } from "./shared/settings-of.ts";

export const action: Action<"changeContext"> = ({ runtime, params, body, change }) =>
  runtime.change(
    params.id,
    (state, context) =>
      "add" in body
        ? addPath(state, context, { list: "context", member: { path: body.add } })
        : removePath(state, context, { list: "context", path: body.remove }),
    change,
    contextOf,
  );
