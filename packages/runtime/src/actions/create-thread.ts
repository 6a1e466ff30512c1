import { type Action, answer } from "./action.ts";
import { existingDirectory } from "./shared/existing-directory.ts";
import { theThread } from "./shared/the-thread.ts";

export const action: Action<"createThread"> = async ({ runtime, root, body, signal }) => {
  const { workspace_root = root, ...given } = body;
  const id = await runtime.newThread(existingDirectory(runtime, workspace_root), { ...given, signal });
  if (typeof id !== "string") return id;
  const thread = theThread(runtime, id);
  return answer({ op_id: thread.head, version: thread.version, thread });
};
