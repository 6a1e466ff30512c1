import { isRefusal, type Refusal } from "@retake/core";
import { capturedFile, diffPage, fileOnDisk, resolvePoint, treeAt, type Workspace } from "@retake/runtime";
import { answer, type Handlers } from "./handler.ts";
import { wrongCursor } from "./page.ts";

/** Files at any point of a thread's history. They are looked at: nothing on disk changes, and nothing is committed. */
export const fileHandlers: Handlers<"diffThread" | "readFile"> = {
  diffThread: ({ runtime, params, query }) =>
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
    }),

  readFile: ({ runtime, params, query }) =>
    runtime.inWorkspace(params.id, (workspace) => {
      if (query.at === undefined) return told(fileOnDisk(workspace.root, query));
      const tree = treeOf(workspace, params.id, query.at);
      return isRefusal(tree) ? tree : told(capturedFile(workspace.files(params.id), tree, query));
    }),
};

function told<Answer extends object>(found: Answer | Refusal) {
  return isRefusal(found) ? found : answer(found);
}

/** The files that a thread stood at, at a point or after its last operation. */
function treeOf(workspace: Workspace, thread: string, point: string | undefined): string | Refusal {
  const operation = point === undefined ? undefined : resolvePoint(workspace.store, thread, point);
  if (isRefusal(operation)) return operation;
  return workspace.store.read(thread, (history) => treeAt(history, operation ?? history.state.head ?? ""));
}
