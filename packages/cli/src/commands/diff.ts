import { action as diffThread } from "@retake/runtime/actions/diff-thread";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { exact } from "../output.ts";
import { patchLines } from "../patch-lines.ts";
import { statLines } from "../stat-lines.ts";

export const command: Command = {
  name: "diff",
  group: "files",
  summary: "Show how the files differ: since the last turn began, since a, or from a to b",
  usage: "[a] [b]",
  most: 2,
  places: ["point", "point"],
  details: ["Each of a and b is a turn, an operation, a snapshot, or now."],
  options: { stat: { type: "boolean", about: "how many lines of each file, instead of the lines" } },
  examples: [
    ["retake diff", "since the last turn began"],
    ["retake diff 2^ 2", "what turn 2 changed"],
    ["retake diff 1 now --stat", "since the end of turn 1, in numbers"],
  ],
  async run(call) {
    const { thread, output, args, options } = call;
    const [from = "last-turn", to = "now"] = args;
    const hunks = options["stat"] !== true;
    const answer = await act(call, diffThread, { params: { id: thread }, query: { from, to, hunks } });
    const { files } = answer;
    output.say(answer, () => {
      if (files.length === 0) return ["No file differs."];
      return hunks ? exact(patchLines(output, files)) : statLines(output, files);
    });
  },
};
