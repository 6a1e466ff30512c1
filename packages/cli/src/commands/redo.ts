import { action as redo } from "@retake/runtime/actions/redo";
import { act } from "../act.ts";
import { type Command, countFrom } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { sayTakenBack } from "../taken-back.ts";

export const command: Command = {
  name: "redo",
  summary: "Bring back what the last undo took",
  usage: `[N] ${CONFLICT_USAGE}`,
  most: 1,
  options: CONFLICT_OPTIONS,
  async run(call) {
    const count = countFrom(call.args[0], 1);
    const body = { turns: count, ...conflictOptions(call) };
    sayTakenBack(call, await act(call, redo, { params: { id: call.thread }, body }));
  },
};
