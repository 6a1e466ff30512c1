import { promoteTake } from "@retake/core";
import type { Action } from "./action.ts";
import { takeAnswer } from "./shared/take-answer.ts";

export const action: Action<"promoteTake"> = ({ runtime, params, body, change }) =>
  runtime.change(
    params.id,
    (state, context) => promoteTake(state, context, { take: params.take, name: body.name }),
    change,
    takeAnswer(params.take),
  );
