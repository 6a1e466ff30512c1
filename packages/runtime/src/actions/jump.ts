import { findPoint } from "../names/find-point.ts";
import type { Action } from "./action.ts";
import { lookUp } from "./shared/names.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"jump"> = async (call) => {
  const { params, body } = call;
  const point = lookUp(call, params.id, (scope) => findPoint(scope, body.op));
  await call.runtime.store.reach(params.id, point.operation);
  return takeBack(call, params.id, (workspace, options) => workspace.jump(params.id, point, options));
};
