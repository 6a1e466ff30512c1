import { action as branch } from "@retake/runtime/actions/branch";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import type { Command } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { find } from "../find.ts";

export const command: Command = {
  name: "branch",
  summary: "A new take with everything up to an entry or the end of a turn, and the files as they were then",
  usage: `<entry|turn> ${CONFLICT_USAGE}`,
  most: 1,
  options: CONFLICT_OPTIONS,
  async run(call) {
    const entry = find.branchEntry(call, call.args[0]).id;
    const answer = await act(call, branch, { params: { id: call.thread }, body: { entry, ...conflictOptions(call) } });
    sayChanged(call, answer, ["  It is active now. retake takes lists them; retake switch <take> goes back."]);
  },
};
