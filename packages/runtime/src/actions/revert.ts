import type { RevertRequest } from "@retake/core";
import { bytePath } from "@retake/workspace";
import type { Action } from "./action.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"revert"> = async (asked) => {
  const { params, body } = asked;
  const { op, turn, call, hunks } = body;
  const chosen = hunks && new Map(hunks.map(({ path, edits }) => [bytePath(path), edits]));
  const request: RevertRequest = {
    ...(op === undefined ? {} : { operation: op }),
    ...(turn === undefined ? {} : { turn }),
    ...(call === undefined ? {} : { call }),
  };
  return takeBack(asked, params.id, (workspace, options) =>
    workspace.revert(params.id, request, { ...options, ...(chosen ? { hunks: chosen } : {}) }),
  );
};
