import { action as restoreSnapshot } from "@retake/runtime/actions/restore-snapshot";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { find } from "../find.ts";
import { sayTakenBack } from "../taken-back.ts";
import { workspacePath } from "../workspace-path.ts";

export const command: Command = {
  name: "restore",
  summary: "Put the files of a snapshot back; the conversation stays. With --path, only those files",
  usage: `<snapshot> [--path p]… ${CONFLICT_USAGE}`,
  most: 1,
  options: { ...CONFLICT_OPTIONS, path: { type: "string", multiple: true } },
  async run(call) {
    const { workspace, options, output } = call;
    const snapshot = find.snapshot(call, call.args[0]);
    const paths = [options["path"] ?? []].flat().map((each) => workspacePath(workspace.root, String(each)));
    const body = { ...conflictOptions(call), ...(paths.length > 0 ? { paths } : {}) };
    const answer = await act(call, restoreSnapshot, { params: { id: snapshot.id }, body });
    // The snapshot's own thread is the one that can take the restore back.
    const named = workspace.currentThread()?.id === answer.thread ? options : { ...options, thread: answer.thread };
    sayTakenBack({ output, options: named }, answer);
  },
};
