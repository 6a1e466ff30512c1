import { isRefusal, type Refusal } from "@retake/core";
import { capturedFile, fileOnDisk } from "../answers/file-content.ts";
import { findFiles } from "../names/find-files.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"readFile"> = ({ runtime, params: { id }, query }) =>
  runtime.inWorkspace(id, (workspace) => {
    const files = findFiles(workspace, id, query.at ?? "now");
    if (isRefusal(files)) return files;
    if (files.kind === "now") return foundOrRefused(fileOnDisk(workspace.root, query));
    return foundOrRefused(capturedFile(workspace.files(files.thread), files.tree, query));
  });

function foundOrRefused<Answer extends object>(found: Answer | Refusal) {
  return isRefusal(found) ? found : answer(found);
}
