import { refuse } from "@retake/core";
import { threadJson } from "../answers/thread-json.ts";
import { threadNames } from "../names/find-thread.ts";
import { type Action, answer } from "./action.ts";

/** The threads of a workspace share its files, so nothing changes but which thread commands act on. */
export const action: Action<"switchThread"> = ({ runtime, params: { id }, body }) => {
  const thread = runtime.thread(id);
  const { store } = runtime;
  const { title, version, workspace_root: root } = thread;
  if (thread.deleted)
    return refuse(
      "not-found",
      `${title} is deleted. Nothing was changed. Bring it back: retake undo --step --thread ${id}`,
    );
  const before = runtime.current(root);
  const nameOf = threadNames({ store, root }, id);
  if (body.dry_run !== true) store.chooseThread(root, id);
  return answer({
    op_id: null,
    version,
    thread: threadJson(thread, id),
    before: before ? { id: before.id, name: nameOf(before) } : null,
  });
};
