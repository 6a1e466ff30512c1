import { action as jump } from "@retake/runtime/actions/jump";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { find } from "../find.ts";
import { sayTakenBack } from "../taken-back.ts";

export const command: Command = {
  name: "jump",
  summary: "Go to any point of the history, also one that was undone",
  usage: `<turn|op> ${CONFLICT_USAGE}`,
  most: 1,
  options: CONFLICT_OPTIONS,
  async run(call) {
    const body = { op: find.pointName(call, call.args[0]), ...conflictOptions(call) };
    sayTakenBack(call, await act(call, jump, { params: { id: call.thread }, body }));
  },
};
