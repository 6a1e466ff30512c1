import { action as jump } from "@retake/runtime/actions/jump";
import { actResolving } from "../act-resolving.ts";
import type { Command } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { requireName } from "../find.ts";
import { sayTakenBack } from "../taken-back.ts";

export const command: Command = {
  name: "jump",
  group: "history",
  summary: "Go to any point of the history, also to one that was undone",
  usage: "<turn|operation>",
  most: 1,
  places: ["point"],
  options: CONFLICT_OPTIONS,
  examples: [
    ["retake jump 2", "as it was at the end of turn 2"],
    ["retake jump 2^ --dry-run", "see what going to right before turn 2 would do"],
  ],
  async run(call) {
    const body = { op: requireName("point", call.args[0]), ...conflictOptions(call) };
    sayTakenBack(call, await actResolving(call, jump, { params: { id: call.thread }, body }));
  },
};
