import { isRefusal, type Refusal } from "@retake/core";
import { capturedFile, fileOnDisk } from "../answers/file-content.ts";
import { type Action, answer } from "./action.ts";
import { treeOf } from "./shared/tree-of.ts";

export const action: Action<"readFile"> = ({ runtime, params, query }) =>
  runtime.inWorkspace(params.id, (workspace) => {
    if (query.at === undefined) return foundOrRefused(fileOnDisk(workspace.root, query));
    const tree = treeOf(workspace, params.id, query.at);
    return isRefusal(tree) ? tree : foundOrRefused(capturedFile(workspace.files(params.id), tree, query));
  });

function foundOrRefused<Answer extends object>(found: Answer | Refusal) {
  return isRefusal(found) ? found : answer(found);
}
