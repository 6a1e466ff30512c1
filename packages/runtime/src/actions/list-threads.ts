import { threadJson } from "../answers/thread-json.ts";
import { type Action, answer } from "./action.ts";
import { currentOf } from "./shared/current-of.ts";
import { existingDirectory } from "./shared/existing-directory.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"listThreads"> = ({ runtime, query }) => {
  const all = runtime.threads(query.workspace && existingDirectory(query.workspace), query.deleted ?? false);
  const page = pageOf(all, ({ id }) => id, query);
  const current = currentOf(runtime);
  const threads = page.items.map((thread) => threadJson(thread, current(thread.workspace_root)));
  return answer({ threads, ...cursorOf(page) });
};
