import type { Action } from "./action.ts";
import { requireOperation } from "./shared/require-operation.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"jump"> = async (asked) => {
  const { runtime, params, body } = asked;
  requireOperation(runtime, params.id, body.op);
  return takeBack(asked, params.id, (workspace, options) => workspace.jump(params.id, body.op, options));
};
