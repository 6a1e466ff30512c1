import { STATE_FIELDS } from "../answers/state-fields.ts";
import { type Action, answer } from "./action.ts";
import { threadFor } from "./shared/thread-for.ts";

export const action: Action<"getState"> = async ({ runtime, root, query }) => {
  const id = await threadFor(runtime, root, query.thread);
  const fields = runtime.read(id, (history) =>
    Object.entries(STATE_FIELDS).map(([name, read]) => [name, read(history)]),
  );
  return answer({ thread_id: id, ...Object.fromEntries(fields) });
};
