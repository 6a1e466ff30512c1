import { listSessions } from "../threads/sessions.ts";
import { type Action, answer } from "./action.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"listSessions"> = ({ runtime, query }) => {
  const all = listSessions(runtime.store).filter(({ thread_id }) => (query.thread ?? thread_id) === thread_id);
  const page = pageOf(all, ({ id }) => id, query);
  return answer({ sessions: page.items.map((session) => ({ ...session })), ...cursorOf(page) });
};
