import { action as redo } from "@retake/runtime/actions/redo";
import { actResolving } from "../act-resolving.ts";
import { type Command, countFrom } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { sayTakenBack } from "../taken-back.ts";

export const command: Command = {
  name: "redo",
  group: "history",
  summary: "Bring back what the last undo took back; with N, the last N undos",
  usage: "[N]",
  most: 1,
  options: CONFLICT_OPTIONS,
  examples: [
    ["retake redo", "bring it back"],
    ["retake redo --dry-run", "see first what that would do"],
  ],
  async run(call) {
    const count = countFrom(call.args[0], 1);
    const body = { count, ...conflictOptions(call) };
    sayTakenBack(call, await actResolving(call, redo, { params: { id: call.thread }, body }));
  },
};
