import { listSessions } from "../threads/sessions.ts";
import { type Action, answer } from "./action.ts";
import { threadNamed } from "./shared/names.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"listSessions"> = ({ runtime, root, query }) => {
  const thread = query.thread === undefined ? undefined : threadNamed({ runtime, root }, query.thread);
  const all = listSessions(runtime.store).filter(({ thread_id }) => (thread ?? thread_id) === thread_id);
  const page = pageOf(all, ({ id }) => id, query);
  return answer({ sessions: page.items.map((session) => ({ ...session })), ...cursorOf(page) });
};
