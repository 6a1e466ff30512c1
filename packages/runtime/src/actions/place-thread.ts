import { existsSync } from "node:fs";
import { activeTake, refuse, tree } from "@retake/core";
import { materialize } from "@retake/workspace";
import { threadJson } from "../answers/thread-json.ts";
import { type Action, answer } from "./action.ts";
import { existingDirectory } from "./shared/existing-directory.ts";

/** A thread from another machine has no workspace here until it is given one. */
export const action: Action<"placeThread"> = async ({ runtime, params: { id }, body }) => {
  const { workspace_root: home, title } = runtime.thread(id);
  if (existsSync(home))
    return refuse("already-exists", `${title} is a thread of ${home}, which is on this machine. Nothing was changed.`);
  const directory = existingDirectory(runtime, body.directory);
  return runtime.workIn(directory, async (workspace) => {
    const name = runtime.read(id, ({ state }) => tree(state, activeTake(state)));
    const from = workspace.files(id);
    const files = name === "" ? 0 : materialize(from.files(name), from.objects, directory).files;
    runtime.store.partOf(id).threads.move(id, directory);
    runtime.store.chooseThread(directory, id);
    return answer({ thread: threadJson(runtime.thread(id), id), directory, files });
  });
};
