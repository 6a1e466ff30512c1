import { listSnapshots, SNAPSHOTS_LISTED, snapshotJson } from "@retake/runtime";
import { type Command, countFrom } from "../command.ts";
import { plural } from "../output.ts";
import { shortIds } from "../short-ids.ts";

export const command: Command = {
  name: "snapshots",
  group: "files",
  summary: "The snapshots of this workspace, newest first: 20 of them, or N up to 100",
  usage: "[N]",
  most: 1,
  examples: [
    ["retake snapshots", "the last 20"],
    ["retake snapshots 5 --thread notes", "the last 5 of one thread"],
  ],
  async run(call) {
    const { workspace, output, args, options } = call;
    const limit = countFrom(args[0], SNAPSHOTS_LISTED);
    const thread = options["thread"] === undefined ? undefined : call.thread;
    const found = listSnapshots(workspace, { thread, limit });
    // The ids of trees are computed for who asks for them.
    if (output.json) {
      const snapshots = [];
      for (const each of found) snapshots.push(await snapshotJson(workspace, each));
      return output.say({ snapshots }, () => []);
    }
    if (found.length === 0)
      return output.line(output.inForm("No snapshot in this workspace yet. Take one: retake snapshot [label]"));
    const short = shortIds(workspace.store.snapshotLogs().flatMap((log) => log.ids(workspace.root)));
    const rows = found.map(({ id, kind, label, created_at }) => [short(id), output.ago(created_at), kind, label]);
    for (const line of output.table(rows)) output.line(line);
    const hint = "retake restore <snapshot> · retake diff <snapshot> · retake materialize <snapshot> <dir>";
    output.line(output.hint(`${plural(found.length, "snapshot")} · ${hint}`));
  },
};
