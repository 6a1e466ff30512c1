import { diffFiles } from "@retake/runtime";
import type { Command } from "../command.ts";
import { find } from "../find.ts";
import { patchLines } from "../patch-lines.ts";
import { statLines } from "../stat-lines.ts";

export const command: Command = {
  name: "diff",
  summary: "How the files differ: since the last turn began, since a, or from a to b",
  usage: "[a] [b] [--stat]   (each a turn, an operation, a snapshot, or now)",
  most: 2,
  options: { stat: { type: "boolean" } },
  async run(call) {
    const { workspace, output, args, options } = call;
    const from = args[0] === undefined ? find.filesBeforeLastTurn(call) : find.files(call, args[0]);
    const to = find.files(call, args[1] ?? "now");
    const { thread, captures } = await find.captures(call, [from, to]);
    const [before = "", after = ""] = captures;
    const hunks = options["stat"] !== true;
    const files = await diffFiles(workspace.files(thread), before, after, { hunks });
    output.say({ files }, () => {
      if (files.length === 0) return ["No file differs."];
      return hunks ? patchLines(output, files) : statLines(output, files);
    });
  },
};
