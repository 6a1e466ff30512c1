import { changedOutcome } from "../answers/changed-answer.ts";
import { changeThreadFacts } from "../threads/change-thread-facts.ts";
import type { Action } from "./action.ts";
import { defined } from "./shared/defined.ts";
import { theThread } from "./shared/the-thread.ts";

export const action: Action<"changeThread"> = ({ runtime, params, body, change }) =>
  runtime.inWorkspace(params.id, (workspace) => {
    const facts = defined(body);
    const done = changeThreadFacts(workspace, params.id, facts, change);
    return changedOutcome(workspace.store, params.id, done, () => ({ thread: theThread(runtime, params.id) }));
  });
