import { refuse } from "@retake/core";
import { findReverted, revertedCall, revertedTurns } from "../names/find-reverted.ts";
import type { Action } from "./action.ts";
import { lookUp } from "./shared/names.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"revert"> = async (given) => {
  const { params, body } = given;
  const { op, turn, until, call } = body;
  if ([op, turn, call].filter((each) => each !== undefined).length !== 1)
    return refuse("invalid-input", "Say op, turn or call, one of them. Nothing was changed.");
  if (until !== undefined && turn === undefined)
    return refuse("invalid-input", "The last turn goes with the first: say turn too. Nothing was changed.");
  const request = lookUp(given, params.id, (scope) => {
    if (turn !== undefined) return revertedTurns(scope, turn, until);
    return call === undefined ? findReverted(scope, op ?? "") : revertedCall(scope, call);
  });
  return takeBack(given, params.id, (workspace, options) => workspace.revert(params.id, request, options));
};
