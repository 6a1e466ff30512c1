import { basename } from "node:path";
import { action as takeSnapshot } from "@retake/runtime/actions/take-snapshot";
import { act } from "../act.ts";
import type { Call, Command } from "../command.ts";
import { plural } from "../output.ts";
import { size } from "../size.ts";
import { uncoveredLines } from "../uncovered-lines.ts";

export const command: Command = {
  name: "snapshot",
  group: "files",
  summary: "Capture the files as they are now, so that you can return to them",
  usage: "[label]",
  examples: [
    ["retake snapshot before-refactor", "with a label"],
    ["retake snapshot", "without one"],
  ],
  async run(call) {
    const { output, args } = call;
    const label = args.join(" ").trim();
    const body = { thread_id: await threadFor(call), label: label === "" ? undefined : label };
    const { snapshot } = await act(call, takeSnapshot, { params: {}, body });
    const { uncovered = [] } = snapshot.receipt ?? {};
    output.say(snapshot, () => [
      `${output.style("green", "✓")} ${snapshot.label}  ${snapshot.id}`,
      `  ${plural(snapshot.files, "file")}, ${size(snapshot.bytes)}, tree ${snapshot.tree}`,
      ...(uncovered.length > 0 ? ["  Not covered:"] : []),
      ...uncoveredLines(output, uncovered),
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
