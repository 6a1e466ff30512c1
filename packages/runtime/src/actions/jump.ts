import { findPoint } from "../names/find-point.ts";
import type { Action } from "./action.ts";
import { lookUp } from "./shared/names.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"jump"> = async (asked) => {
  const { params, body } = asked;
  const point = lookUp(asked, params.id, (scope) => findPoint(scope, body.op));
  await asked.runtime.store.reach(params.id, point.operation);
  return takeBack(asked, params.id, (workspace, options) => workspace.jump(params.id, point, options));
};
