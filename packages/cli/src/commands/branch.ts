import { action as branch } from "@retake/runtime/actions/branch";
import { actResolving } from "../act-resolving.ts";
import { sayChanged } from "../changed.ts";
import type { Command } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { requireName } from "../find.ts";

export const command: Command = {
  name: "branch",
  group: "takes",
  summary: "Start a new take at an entry or at the end of a turn, with the files of that moment",
  usage: "<entry|turn>",
  most: 1,
  places: ["entry"],
  options: CONFLICT_OPTIONS,
  examples: [
    ["retake branch 2", "go on from the end of turn 2 in a new take"],
    ["retake branch 1.1 --dry-run", "see what that would do to the files"],
  ],
  async run(call) {
    const entry = requireName("entry", call.args[0]);
    const answer = await actResolving(call, branch, {
      params: { id: call.thread },
      body: { entry, ...conflictOptions(call) },
    });
    sayChanged(call, answer, [
      call.output.hint("It is active now. retake takes lists them; retake switch <take> goes back."),
    ]);
  },
};
