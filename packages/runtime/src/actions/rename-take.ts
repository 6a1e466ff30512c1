import { renameTake } from "@retake/core";
import type { Action } from "./action.ts";
import { takeAnswer } from "./shared/take-answer.ts";

export const action: Action<"renameTake"> = ({ runtime, params, body, change }) =>
  runtime.change(
    params.id,
    (state, context) => renameTake(state, context, { take: params.take, name: body.name }),
    change,
    takeAnswer(params.take),
  );
