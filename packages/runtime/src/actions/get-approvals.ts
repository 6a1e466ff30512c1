import { type Action, answer } from "./action.ts";
import { approvalsAnswer } from "./shared/approvals-answer.ts";
import { existingDirectory } from "./shared/existing-directory.ts";

export const action: Action<"getApprovals"> = async ({ runtime, root, query }) => {
  const directory = existingDirectory(runtime, query.workspace ?? root);
  return answer(await approvalsAnswer(runtime, directory));
};
