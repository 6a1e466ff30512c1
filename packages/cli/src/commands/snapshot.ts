import { basename } from "node:path";
import { captureReceiptJson, snapshotJson, takeSnapshot } from "@retake/runtime";
import { type Call, type Command, refused } from "../command.ts";
import { plural } from "../output.ts";
import { size } from "../size.ts";
import { uncoveredLines } from "../uncovered-lines.ts";

export const command: Command = {
  name: "snapshot",
  group: "files",
  summary: "Capture the files as they are now, to come back to",
  usage: "[label]",
  examples: [
    ["retake snapshot before-refactor", "with a label"],
    ["retake snapshot", "without one"],
  ],
  async run(call) {
    const { workspace, output, args } = call;
    const label = args.join(" ").trim();
    const taken = await takeSnapshot(workspace, await threadFor(call), label === "" ? undefined : label);
    if (taken.kind === "refused") throw refused(taken);
    const snapshot = await snapshotJson(workspace, taken.snapshot);
    const receipt = captureReceiptJson(taken.receipt);
    output.say({ ...snapshot, receipt }, () => [
      `${output.style("green", "✓")} ${snapshot.label}  ${snapshot.id}`,
      `  ${plural(snapshot.files, "file")}, ${size(snapshot.bytes)}, tree ${snapshot.tree}`,
      ...(receipt.uncovered.length > 0 ? ["  Not covered:"] : []),
      ...uncoveredLines(output, receipt.uncovered),
      output.hint(`retake restore ${snapshot.id} · retake diff ${snapshot.id} · retake snapshots`),
    ]);
  },
};

/** To go back to a snapshot is a step of a thread, so that it can be undone: without one, one is begun. */
async function threadFor(call: Call): Promise<string> {
  const { workspace, options } = call;
  if (options["thread"] !== undefined || workspace.threads().length > 0) return call.thread;
  return workspace.newThread(basename(workspace.root));
}
