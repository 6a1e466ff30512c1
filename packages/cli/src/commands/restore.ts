import { action as restoreSnapshot } from "@retake/runtime/actions/restore-snapshot";
import { action as takeOver } from "@retake/runtime/actions/take-over";
import { actResolving } from "../act-resolving.ts";
import { type Command, textOption, wrongUsage } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { find } from "../find.ts";
import { sayTakenBack } from "../taken-back.ts";
import { PATH_OPTION, pathOption } from "../workspace-path.ts";

export const command: Command = {
  name: "restore",
  group: "files",
  summary: "Bring the files of a snapshot or of another take here; the conversation stays",
  usage: "[snapshot]",
  most: 1,
  details: [
    "A snapshot is named by its id, the beginning of it, or its label. It is restored in the thread that made it, whose undo takes that back.",
  ],
  options: {
    ...CONFLICT_OPTIONS,
    take: { type: "string", value: "take", names: "take", about: "the files of this take, in place of a snapshot's" },
    ...PATH_OPTION,
  },
  examples: [
    ["retake restore first-plan", "all files"],
    ["retake restore first-plan --path plan.txt --dry-run", "see what that would do to one file"],
    ["retake restore --take main_take_1 --path plan.txt", "bring a file of another take into this one"],
  ],
  async run(call) {
    const { workspace, options, output, args } = call;
    const body = { ...conflictOptions(call), paths: pathOption(call) };
    const taken = textOption(call, "take");
    if (taken !== undefined) {
      if (args.length > 0) throw wrongUsage("Name a snapshot or a take, not both.");
      const params = { id: call.thread, take: find.take(call, taken).id };
      return sayTakenBack(call, await actResolving(call, takeOver, { params, body }));
    }
    const snapshot = find.snapshot(call, args[0]);
    const query = options["thread"] === undefined ? {} : { thread: call.thread };
    const answer = await actResolving(call, restoreSnapshot, { params: { id: snapshot.id }, query, body });
    // The snapshot's own thread is the one that can take the restore back.
    const isCurrent = workspace.currentThread()?.id === answer.thread;
    sayTakenBack({ output, options: isCurrent ? options : { ...options, thread: answer.thread } }, answer);
  },
};
