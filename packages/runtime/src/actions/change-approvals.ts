import { refuse, ruleProblem } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { approvalsAnswer } from "./shared/approvals-answer.ts";
import { existingDirectory } from "./shared/existing-directory.ts";

/** A fact of this machine and workspace: nothing of it is recorded in a thread, and no undo changes it. */
export const action: Action<"changeApprovals"> = async ({ runtime, root, body }) => {
  const directory = existingDirectory(runtime, body.workspace ?? root);
  const { approvals } = runtime.store;
  const { mode, add, remove } = body;
  const problem = add === undefined ? undefined : ruleProblem(add);
  if (problem) return refuse("invalid-input", `The rule ${problem}. Nothing was changed.`);
  if (remove !== undefined && approvals.remove(directory, remove) === undefined)
    return refuse("not-found", `There is no rule ${remove} here. Nothing was changed.`);
  if (mode !== undefined) approvals.setMode(directory, mode);
  if (add !== undefined) approvals.add(directory, JSON.parse(JSON.stringify(add)));
  return answer(await approvalsAnswer(runtime, directory));
};
