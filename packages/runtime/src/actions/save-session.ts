import { isRefusal } from "@retake/core";
import { saveSession } from "../threads/sessions.ts";
import { type Action, answer } from "./action.ts";
import { threadNamed } from "./shared/names.ts";

export const action: Action<"saveSession"> = ({ runtime, root, body }) => {
  const { session_id, title } = body;
  const thread_id = threadNamed({ runtime, root }, body.thread_id);
  const done = saveSession(runtime.store, {
    thread_id,
    ...(session_id === undefined ? {} : { session_id }),
    ...(title === undefined ? {} : { title }),
  });
  runtime.feed.look();
  if (isRefusal(done)) return done;
  const { session, op_id, replaced } = done;
  const version = runtime.read(thread_id, ({ state }) => state.version);
  return answer({ op_id, version, session: { ...session }, replaced: replaced && { ...replaced } });
};
