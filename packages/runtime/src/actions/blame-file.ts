import { activeTake, isRefusal, preview, refuse, type State, turn } from "@retake/core";
import { type BlamedLines, blameFile } from "../answers/blame-file.ts";
import { capturedFile, capturedPath, fileOnDisk } from "../answers/file-content.ts";
import { findFiles } from "../names/find-files.ts";
import { type Action, answer } from "./action.ts";
import { readAt } from "./shared/read-at.ts";

/** The lines of a larger file are not looked at. */
export const MOST_BYTES = 4 * 1024 * 1024;

export const action: Action<"blameFile"> = async ({ runtime, params: { id }, query: { path, at = "now" } }) => {
  const state = await readAt(runtime, id, at === "now" ? undefined : at, (found) => found);
  if (isRefusal(state)) return state;
  return runtime.inWorkspace(id, async (workspace) => {
    const files = findFiles(workspace, id, at);
    if (isRefusal(files)) return files;
    const part = { path, limit: MOST_BYTES };
    const found =
      files.kind === "now"
        ? fileOnDisk(workspace.root, part)
        : capturedFile(workspace.files(files.thread), files.tree, part);
    if (isRefusal(found)) return found;
    if (found.more) return refuse("invalid-input", `${path.slice(0, 200)} is too large to look at its lines.`);
    const content = Buffer.from(found.content, found.encoding);
    const file = { state, take: activeTake(state), path: capturedPath(path), content };
    const lines = await blameFile(workspace.files(id), file);
    if (!lines) return refuse("invalid-input", `${path.slice(0, 200)} is not text.`);
    return answer({ path, lines, turns: turnsOf(state, lines) });
  });
};

/** The turns that wrote these lines, in the order of the file. */
function turnsOf(state: State, lines: readonly BlamedLines[]) {
  const names = new Map(lines.map(({ turn_id: id, turn_name: name }) => [id, name]));
  return [...names].flatMap(([id, name]) => {
    if (id === undefined || name === undefined) return [];
    const content = turn(state, activeTake(state), id)?.prompt ?? "";
    return [{ id, name, prompt: preview({ content }) }];
  });
}
