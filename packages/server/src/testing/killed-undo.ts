/**
 * Takes the last turn of a thread back and is killed as soon as some of its files are in place:
 * `node killed-undo.ts <home> <workspace> <thread>`.
 */
import { directories, openStoreAndWorkspace } from "@retake/runtime";

const [, , home = "", root = "", thread = ""] = process.argv;
const workspace = openStoreAndWorkspace({ directories: directories({ RETAKE_HOME: home }), root, version: "0" });
await workspace.undo(
  thread,
  { count: 1 },
  {
    onProgress(progress) {
      if (progress.what === "restore" && progress.files > 0) process.kill(process.pid, "SIGKILL");
    },
  },
);
