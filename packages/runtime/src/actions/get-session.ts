import { isRefusal } from "@retake/core";
import { sessionById } from "../threads/sessions.ts";
import { type Action, answer } from "./action.ts";
import { listed } from "./shared/entry-page.ts";

export const action: Action<"getSession"> = ({ runtime, params }) => {
  const session = sessionById(runtime.store, params.id);
  if (isRefusal(session)) return session;
  const entries = runtime.read(session.thread_id, ({ stateAt }) => listed(stateAt(session.op_id), session.take));
  return answer({ ...session, entries });
};
