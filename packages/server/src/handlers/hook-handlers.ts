import { replaceEntries } from "@retake/core";
import { STATE_FIELDS } from "@retake/runtime";
import { RequestError } from "../request-error.ts";
import { listed, withIds } from "./entry-handlers.ts";
import { answer, type Handlers } from "./handler.ts";
import { threadFor } from "./thread-for.ts";

/** S10. Programs act as programs: the history names them as such, and what they change can be undone. */
export const HOOK = { kind: "hook" } as const;

export const hookHandlers: Handlers<"getHookSession" | "replaceHookSession" | "getState" | "getStateField"> = {
  getHookSession({ runtime, root, query }) {
    const id = threadFor(runtime, root, query.thread);
    return answer({ session: { thread_id: id, entries: runtime.read(id, ({ state }) => listed(state)) } });
  },

  replaceHookSession({ runtime, root, query, body, change }) {
    const id = threadFor(runtime, root, query.thread);
    return runtime.change(
      id,
      (state, context) => replaceEntries(state, context, { entries: withIds(runtime, body.session.entries) }),
      { ...change, actor: HOOK },
      (state) => ({ session: { thread_id: id, entries: listed(state) } }),
    );
  },

  getState({ runtime, root, query }) {
    const id = threadFor(runtime, root, query.thread);
    const fields = runtime.read(id, (history) =>
      Object.entries(STATE_FIELDS).map(([name, read]) => [name, read(history)]),
    );
    return answer({ thread_id: id, ...Object.fromEntries(fields) });
  },

  getStateField({ runtime, root, params, query }) {
    const id = threadFor(runtime, root, query.thread);
    const read = Object.hasOwn(STATE_FIELDS, params.field) ? STATE_FIELDS[params.field] : undefined;
    if (!read)
      throw new RequestError(
        404,
        "not-found",
        `There is no field ${params.field}: ${Object.keys(STATE_FIELDS).join(", ")}.`,
      );
    return answer({ [params.field]: runtime.read(id, read) });
  },
};
