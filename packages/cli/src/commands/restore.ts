import { action as restoreSnapshot } from "@retake/runtime/actions/restore-snapshot";
import { actResolving } from "../act-resolving.ts";
import type { Command } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { find } from "../find.ts";
import { sayTakenBack } from "../taken-back.ts";
import { workspacePath } from "../workspace-path.ts";

export const command: Command = {
  name: "restore",
  group: "files",
  summary: "Put the files of a snapshot back; the conversation stays. With --path, only those files",
  usage: "<snapshot>",
  most: 1,
  details: ["A snapshot is named by its id, the beginning of it, or its label."],
  options: {
    ...CONFLICT_OPTIONS,
    path: { type: "string", multiple: true, value: "file", about: "only this file; may be given several times" },
  },
  examples: [
    ["retake restore first-plan", "all files"],
    ["retake restore first-plan --path plan.txt --dry-run", "see what that would do to one file"],
  ],
  async run(call) {
    const { workspace, options, output } = call;
    const snapshot = find.snapshot(call, call.args[0]);
    const paths = [options["path"] ?? []].flat().map((each) => workspacePath(call, String(each)));
    const body = { ...conflictOptions(call), ...(paths.length > 0 ? { paths } : {}) };
    const answer = await actResolving(call, restoreSnapshot, { params: { id: snapshot.id }, body });
    // The snapshot's own thread is the one that can take the restore back.
    const named = workspace.currentThread()?.id === answer.thread ? options : { ...options, thread: answer.thread };
    sayTakenBack({ output, options: named }, answer);
  },
};
