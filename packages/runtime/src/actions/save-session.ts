import { isRefusal } from "@retake/core";
import { saveSession } from "../threads/sessions.ts";
import { type Action, answer } from "./action.ts";
import { threadNamed } from "./shared/names.ts";

export const action: Action<"saveSession"> = ({ runtime, root, body }) => {
  const thread_id = threadNamed({ runtime, root }, body.thread_id);
  const done = saveSession(runtime.store, { ...body, thread_id });
  runtime.feed.look();
  if (isRefusal(done)) return done;
  const { session, op_id, replaced } = done;
  const version = runtime.read(thread_id, ({ state }) => state.version);
  return answer({ op_id, version, session: { ...session }, replaced: replaced && { ...replaced } });
};
