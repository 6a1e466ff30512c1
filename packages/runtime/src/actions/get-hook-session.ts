import { type Action, answer } from "./action.ts";
import { listed } from "./shared/entry-page.ts";
import { threadFor } from "./shared/thread-for.ts";

export const action: Action<"getHookSession"> = async ({ runtime, root, query }) => {
  const id = await threadFor(runtime, root, query.thread);
  return answer({ session: { thread_id: id, entries: runtime.read(id, ({ state }) => listed(state)) } });
};
