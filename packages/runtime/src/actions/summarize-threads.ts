import { threadJson } from "../answers/thread-json.ts";
import { type Action, answer } from "./action.ts";
import { currentOf } from "./shared/current-of.ts";
import { existingDirectory } from "./shared/existing-directory.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"summarizeThreads"> = async ({ runtime, query }) => {
  const listed = () => runtime.threads(query.workspace && existingDirectory(runtime, query.workspace));
  const running = pageOf(listed(), ({ id }) => id, query).items.filter((each) => runtime.summary(each).running_turn);
  for (const { id } of running) await runtime.settled(id);
  const page = pageOf(listed(), ({ id }) => id, query);
  const current = currentOf(runtime);
  const threads = page.items.map((thread) => ({
    ...runtime.summary(thread),
    ...threadJson(thread, current(thread.workspace_root)),
  }));
  return answer({ threads, ...cursorOf(page) });
};
