import { activeTake, isRefusal, tree } from "@retake/core";
import { filesMatching } from "../answers/list-files.ts";
import { type FilesOf, findFiles } from "../names/find-files.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { type Action, answer } from "./action.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"listFiles"> = ({ runtime, params: { id }, query }) =>
  runtime.inWorkspace(id, async (workspace) => {
    const files = query.at === undefined ? lastKnown(workspace, id) : findFiles(workspace, id, query.at);
    if (isRefusal(files)) return files;
    const store = workspace.files(files.kind === "now" ? id : files.thread);
    const capture = files.kind === "now" ? (await store.capture({ hints: true })).id : files.tree;
    const found = filesMatching(store, capture, query.q ?? "");
    const page = pageOf(found, ({ path }) => path, query);
    return answer({ files: page.items, total: found.length, ...cursorOf(page) });
  });

/** Completion may use an older capture: none is made for each key. */
function lastKnown({ store }: Workspace, thread: string): FilesOf {
  const known = store.read(thread, ({ state }) => tree(state, activeTake(state)));
  return known === "" ? { kind: "now" } : { kind: "captured", thread, tree: known };
}
