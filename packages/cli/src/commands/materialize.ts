import { resolve } from "node:path";
import { materialize } from "@retake/runtime";
import { type Command, wrongUsage } from "../command.ts";
import { capturesOf, findPoint } from "../find-point.ts";
import { plural } from "../output.ts";

export const command: Command = {
  name: "materialize",
  summary: "Write the files of any moment into another directory, which must be new or empty",
  usage: "<op|snapshot|turn> <dir>",
  most: 2,
  async run(call) {
    const { workspace, output } = call;
    const [name, directory] = call.args;
    if (name === undefined || directory === undefined)
      throw wrongUsage("Name an operation, a snapshot or a turn, and a directory: retake materialize <op> <dir>");
    const target = resolve(directory);
    if (`${target}/`.startsWith(`${workspace.root}/`))
      throw wrongUsage(`${target} is in the workspace. Nothing was written. Name a directory outside of it.`);
    const { thread, captures } = await capturesOf(call, [findPoint(call, name, "to")]);
    const from = workspace.files(thread);
    const { files } = materialize(from.files(captures[0] ?? ""), from.objects, target, workspace.root);
    output.say({ directory: target, files }, () => [
      `${output.style("green", "✓")} ${plural(files, "file")} written to ${target}`,
    ]);
  },
};
