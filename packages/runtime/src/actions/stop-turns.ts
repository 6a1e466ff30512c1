import { turnAnswer } from "../answers/turns-answer.ts";
import { type Action, answer } from "./action.ts";
import { existingDirectory } from "./shared/existing-directory.ts";
import { threadNamed } from "./shared/names.ts";

export const action: Action<"stopTurns"> = async ({ runtime, root, body, signal }) => {
  const directory = existingDirectory(runtime, body.workspace ?? root);
  const thread = body.thread === undefined ? undefined : threadNamed({ runtime, root: directory }, body.thread);
  const stopped = await runtime.stopTurns(directory, thread, signal);
  if ("kind" in stopped) return stopped;
  const turns = stopped.map((each) =>
    runtime.read(each.thread, (history) => ({
      ...turnAnswer(history, each.turn, undefined),
      thread_id: each.thread,
      title: runtime.thread(each.thread).title,
      ...("elsewhere" in each && { elsewhere: true as const }),
    })),
  );
  return answer({ turns: turns as never[] });
};
