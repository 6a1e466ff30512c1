import { isRefusal } from "@retake/core";
import { sessionById } from "../threads/sessions.ts";
import { type Action, answer } from "./action.ts";
import { listed } from "./shared/entry-page.ts";

export const action: Action<"getSession"> = async ({ runtime, params }) => {
  const session = sessionById(runtime.store, params.id);
  if (isRefusal(session)) return session;
  await runtime.store.reach(session.thread_id, session.op_id);
  const entries = runtime.read(session.thread_id, ({ stateAt }) => listed(stateAt(session.op_id), session.take));
  return answer({ ...session, entries });
};
