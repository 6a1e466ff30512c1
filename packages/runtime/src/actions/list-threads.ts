import { threadJson } from "../answers/thread-json.ts";
import { threadNames } from "../names/find-thread.ts";
import { type Action, answer } from "./action.ts";
import { currentOf } from "./shared/current-of.ts";
import { existingDirectory } from "./shared/existing-directory.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"listThreads"> = ({ runtime, root, query }) => {
  const directory = query.workspace && existingDirectory(runtime, query.workspace);
  const all = runtime.threads(directory, query.deleted ?? false);
  const page = pageOf(all, ({ id }) => id, query);
  const current = currentOf(runtime);
  const here = directory ?? root;
  const nameOf = threadNames({ store: runtime.store, root: here }, current(here));
  const threads = page.items.map((thread) => ({
    ...threadJson(thread, current(thread.workspace_root)),
    name: nameOf(thread),
  }));
  return answer({ threads, ...cursorOf(page) });
};
