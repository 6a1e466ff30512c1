import { refuse } from "@retake/core";
import { bytePath } from "@retake/workspace";
import { findReverted, revertedCall, revertedTurn } from "../names/find-reverted.ts";
import type { Action } from "./action.ts";
import { lookUp } from "./shared/names.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"revert"> = async (given) => {
  const { params, body } = given;
  const { op, turn, call, hunks } = body;
  if ([op, turn, call].filter((each) => each !== undefined).length !== 1)
    return refuse("invalid-input", "Say op, turn or call, one of them. Nothing was changed.");
  const request = lookUp(given, params.id, (scope) => {
    if (turn !== undefined) return revertedTurn(scope, turn);
    return call === undefined ? findReverted(scope, op ?? "") : revertedCall(scope, call);
  });
  const chosen = hunks && new Map(hunks.map(({ path, edits }) => [bytePath(path), edits]));
  return takeBack(given, params.id, (workspace, options) =>
    workspace.revert(params.id, request, { ...options, ...(chosen ? { hunks: chosen } : {}) }),
  );
};
