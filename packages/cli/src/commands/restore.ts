import { bytePath, restoreSnapshot } from "@retake/runtime";
import type { Call, Command } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { findSnapshot } from "../find-snapshot.ts";
import { sayTakenBack } from "../taken-back.ts";
import { workspacePath } from "../workspace-path.ts";

export const command: Command = {
  name: "restore",
  summary: "Put the files of a snapshot back; the conversation stays. With --path, only those files",
  usage: `<snapshot> [--path p]… ${CONFLICT_USAGE}`,
  most: 1,
  options: { ...CONFLICT_OPTIONS, path: { type: "string", multiple: true } },
  async run(call) {
    const { workspace, options } = call;
    const snapshot = findSnapshot(call, call.args[0]);
    const paths = [options["path"] ?? []].flat().map((each) => bytePath(workspacePath(workspace.root, String(each))));
    const done = await restoreSnapshot(workspace, snapshot, {
      ...conflictOptions(call),
      ...(paths.length > 0 ? { paths } : {}),
    });
    sayTakenBack(inThread(call, snapshot.thread), done);
  },
};

/** The snapshot's own discussion is the one that can take the restore back. */
function inThread({ args, output, commands, runtime, workspace, options }: Call, thread: string): Call {
  const named = workspace.currentThread()?.id === thread ? options : { ...options, thread };
  return { args, output, commands, runtime, workspace, options: named, thread };
}
