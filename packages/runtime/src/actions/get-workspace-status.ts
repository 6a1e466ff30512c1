import { workspaceStatus } from "../answers/workspace-status.ts";
import { type Action, answer } from "./action.ts";
import { existingDirectory } from "./shared/existing-directory.ts";

export const action: Action<"getWorkspaceStatus"> = async ({ runtime, root, query }) => {
  const directory = existingDirectory(query.workspace ?? root);
  const current = runtime.current(directory)?.id;
  if (current !== undefined) await runtime.settled(current);
  return runtime.inDirectory(directory, async (workspace) =>
    answer({ ...(await workspaceStatus(workspace, current)) }),
  );
};
