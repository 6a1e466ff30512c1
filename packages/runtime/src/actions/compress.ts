import { changedOutcome } from "../answers/changed-answer.ts";
import { ActionError } from "../host/action-error.ts";
import type { Action } from "./action.ts";

export const action: Action<"compress"> = async ({ runtime, params, body, change, signal }) => {
  const { expectedVersion } = change;
  const done = await runtime.compress(params.id, { ...body, expectedVersion, signal });
  if (done.kind === "failed") throw new ActionError(done.code, done.message);
  if (done.kind === "refused") return changedOutcome(runtime.store, params.id, done, () => ({}));
  const { operation, summary, usage } = done;
  return changedOutcome(runtime.store, params.id, operation, () => ({ summary, usage }));
};
