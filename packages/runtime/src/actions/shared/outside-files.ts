import type { Runtime } from "../../host/runtime.ts";
import { OutsideFiles } from "../../runner/outside-files.ts";

/** The files outside of a thread's workspace that the user said yes to. */
export function outsideFiles(runtime: Runtime, thread: string): OutsideFiles {
  return new OutsideFiles(runtime.store.directories, runtime.thread(thread).workspace_root);
}
