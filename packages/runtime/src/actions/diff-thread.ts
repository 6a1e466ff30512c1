import { isRefusal, type Refusal } from "@retake/core";
import { diffPage } from "../answers/diff-files.ts";
import { capturesOf, type FilesOf, findFiles } from "../names/find-files.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { type Action, answer } from "./action.ts";
import { wrongCursor } from "./shared/page.ts";

export const action: Action<"diffThread"> = ({ runtime, params: { id }, query }) =>
  runtime.inWorkspace(id, async (workspace) => {
    const from = query.from === undefined ? filesLeft(workspace, id) : findFiles(workspace, id, query.from);
    if (isRefusal(from)) return from;
    const to = findFiles(workspace, id, query.to ?? "now");
    if (isRefusal(to)) return to;
    const found = await capturesOf(workspace, id, [from, to]);
    if (isRefusal(found)) return found;
    const [before = "", after = ""] = found.captures;
    const options = { ...query, hunks: query.hunks ?? false };
    const page = await diffPage(workspace.files(found.thread), [before, after], options);
    if (!page) throw wrongCursor();
    return answer(page);
  });

/** The files that the last operation left. */
function filesLeft(workspace: Workspace, thread: string): FilesOf | Refusal {
  return findFiles(workspace, thread, workspace.store.thread(thread)?.head ?? "");
}
