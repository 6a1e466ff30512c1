import { isRefusal, type Refusal } from "@retake/core";
import { capturedFile, diffPage, fileOnDisk, type Retake, resolvePoint, treeAt } from "@retake/runtime";
import { answer, type Handlers } from "./handler.ts";
import { wrongCursor } from "./page.ts";

/** Files at any point of a thread's history. They are looked at: nothing on disk changes, and nothing is committed. */
export const fileHandlers: Handlers<"diffThread" | "readFile"> = {
  diffThread: ({ host, params, query }) =>
    host.inWorkspace(params.id, async (retake) => {
      const workspace = retake.workspace(params.id);
      const from = treeOf(retake, params.id, query.from);
      if (isRefusal(from)) return from;
      const to = query.to === undefined ? (await workspace.capture()).id : treeOf(retake, params.id, query.to);
      if (isRefusal(to)) return to;
      const page =
        from === "" || to === ""
          ? { files: [], total: 0 }
          : await diffPage(workspace, [from, to], { ...query, hunks: query.hunks ?? false });
      if (!page) throw wrongCursor();
      return answer(page);
    }),

  readFile: ({ host, params, query }) =>
    host.inWorkspace(params.id, (retake) => {
      if (query.at === undefined) return told(fileOnDisk(retake.root, query));
      const tree = treeOf(retake, params.id, query.at);
      return isRefusal(tree) ? tree : told(capturedFile(retake.workspace(params.id), tree, query));
    }),
};

function told<Answer extends object>(found: Answer | Refusal) {
  return isRefusal(found) ? found : answer(found);
}

/** The files that a thread stood at, at a point or after its last operation. */
function treeOf(retake: Retake, thread: string, point: string | undefined): string | Refusal {
  const operation = point === undefined ? undefined : resolvePoint(retake, thread, point);
  if (isRefusal(operation)) return operation;
  return retake.read(thread, (history) => treeAt(history, operation ?? history.state.head ?? ""));
}
