import { type Action, answer } from "./action.ts";
import { existingDirectory } from "./shared/existing-directory.ts";
import { theThread } from "./shared/the-thread.ts";

export const action: Action<"createThread"> = async ({ runtime, root, body, signal }) => {
  const { title, prompt, private: isPrivate } = body;
  const id = await runtime.newThread(existingDirectory(runtime, body.workspace_root ?? root), {
    ...(title === undefined ? {} : { title }),
    ...(prompt === undefined ? {} : { prompt }),
    private: isPrivate ?? false,
    signal,
  });
  if (typeof id !== "string") return id;
  const thread = theThread(runtime, id);
  return answer({ op_id: thread.head, version: thread.version, thread });
};
