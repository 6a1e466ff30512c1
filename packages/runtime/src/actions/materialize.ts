import { existsSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import { isRefusal, refuse } from "@retake/core";
import { materialize } from "@retake/workspace";
import { capturesOf, findFiles } from "../names/find-files.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"materialize"> = ({ runtime, root, params: { id }, body }) => {
  const { workspace_root: home } = runtime.thread(id);
  // A thread from another machine may have no workspace here. Its captures are in the store all the same.
  const isHere = existsSync(home);
  return runtime.inDirectory(isHere ? home : root, async (workspace) => {
    if (!isHere && body.at === "now")
      return refuse("not-found", `The directory ${home} is not on this machine. Nothing was written.`);
    if (!isAbsolute(body.directory))
      return refuse("invalid-input", "Name the directory by its whole path. Nothing was written.");
    const target = resolve(body.directory);
    if (`${target}${sep}`.startsWith(`${workspace.root}${sep}`))
      return refuse("invalid-input", `${target} is in the workspace. Nothing was written. Name one outside of it.`);
    const files = findFiles(workspace, id, body.at);
    if (isRefusal(files)) return files;
    const found = await capturesOf(workspace, id, [files]);
    if (isRefusal(found)) return found;
    const from = workspace.files(found.thread);
    const written = materialize(from.files(found.captures[0] ?? ""), from.objects, target, workspace.root);
    return answer({ directory: target, files: written.files });
  });
};
