import { SNAPSHOTS_LISTED } from "@retake/runtime";
import { action as listSnapshots } from "@retake/runtime/actions/list-snapshots";
import { act } from "../act.ts";
import { type Command, countFrom, namedThread } from "../command.ts";
import { plural } from "../output.ts";

export const command: Command = {
  name: "snapshots",
  group: "files",
  summary: "List the snapshots of this workspace, newest first: 20, or N up to 100",
  usage: "[N]",
  most: 1,
  examples: [
    ["retake snapshots", "the last 20"],
    ["retake snapshots 5 --thread notes", "the last 5 of one thread"],
  ],
  async run(call) {
    const { output, args } = call;
    const limit = countFrom(args[0], SNAPSHOTS_LISTED);
    // Tree ids are computed only for `--json`, which prints them.
    const answer = await act(call, listSnapshots, {
      params: {},
      query: { thread: namedThread(call), limit, trees: output.json },
    });
    output.say(answer, () => {
      const { snapshots } = answer;
      if (snapshots.length === 0)
        return [output.inForm("No snapshot in this workspace yet. Take one: retake snapshot [label]")];
      const rows = snapshots.map(({ name, kind, label, created_at }) => [
        name,
        output.ago(Date.parse(created_at)),
        kind,
        label,
      ]);
      const hint = "retake restore <snapshot> · retake diff <snapshot> · retake materialize <snapshot> <dir>";
      return [...output.table(rows), output.hint(`${plural(snapshots.length, "snapshot")} · ${hint}`)];
    });
  },
};
