import { isRefusal } from "@retake/core";
import { diffPage } from "../answers/diff-files.ts";
import { type Action, answer } from "./action.ts";
import { wrongCursor } from "./shared/page.ts";
import { treeOf } from "./shared/tree-of.ts";

export const action: Action<"diffThread"> = ({ runtime, params, query }) =>
  runtime.inWorkspace(params.id, async (workspace) => {
    const files = workspace.files(params.id);
    const from = treeOf(workspace, params.id, query.from);
    if (isRefusal(from)) return from;
    const to = query.to === undefined ? (await files.capture()).id : treeOf(workspace, params.id, query.to);
    if (isRefusal(to)) return to;
    const page =
      from === "" || to === ""
        ? { files: [], total: 0 }
        : await diffPage(files, [from, to], { ...query, hunks: query.hunks ?? false });
    if (!page) throw wrongCursor();
    return answer(page);
  });
