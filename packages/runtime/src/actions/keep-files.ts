import { changedOutcome } from "../answers/changed-answer.ts";
import type { Action } from "./action.ts";

export const action: Action<"keepFiles"> = ({ runtime, params: { id } }) =>
  runtime.work(id, async (workspace) => {
    const done = await workspace.keepFiles(id);
    if (done.kind === "busy") return done;
    return changedOutcome(workspace.store, id, done, () => ({}));
  });
