import { replaceEntries } from "@retake/core";
import type { Action } from "./action.ts";
import { listed } from "./shared/entry-page.ts";
import { HOOK } from "./shared/hook-actor.ts";
import { threadFor } from "./shared/thread-for.ts";
import { withIds } from "./shared/with-ids.ts";

export const action: Action<"replaceHookSession"> = async ({ runtime, root, query, body, change }) => {
  const id = await threadFor(runtime, root, query.thread);
  return runtime.change(
    id,
    (state, context) => replaceEntries(state, context, { entries: withIds(runtime, body.session.entries) }),
    { ...change, actor: HOOK },
    (state) => ({ session: { thread_id: id, entries: listed(state) } }),
  );
};
