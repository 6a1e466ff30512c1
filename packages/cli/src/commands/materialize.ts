import { materialize } from "@retake/runtime";
import { type Command, wrongUsage } from "../command.ts";
import { find } from "../find.ts";
import { plural } from "../output.ts";
import { pathIn } from "../world.ts";

export const command: Command = {
  name: "materialize",
  group: "files",
  summary: "Write the files of any moment into another directory, which must be new or empty",
  usage: "<turn|operation|snapshot> <directory>",
  most: 2,
  places: ["point"],
  examples: [
    ["retake materialize 2 ../as-it-was", "the files at the end of turn 2"],
    ["retake materialize first-plan ../first-plan", "those of a snapshot"],
  ],
  async run(call) {
    const { workspace, output } = call;
    const [name, directory] = call.args;
    if (name === undefined || directory === undefined)
      throw wrongUsage("Name a turn, an operation or a snapshot, and a directory: retake materialize <turn> <dir>");
    const target = pathIn(call.world, directory);
    if (`${target}/`.startsWith(`${workspace.root}/`))
      throw wrongUsage(`${target} is in the workspace. Nothing was written. Name a directory outside of it.`);
    const { thread, captures } = await find.captures(call, [find.files(call, name)]);
    const from = workspace.files(thread);
    const { files } = materialize(from.files(captures[0] ?? ""), from.objects, target, workspace.root);
    output.say({ directory: target, files }, () => [
      `${output.style("green", "✓")} ${plural(files, "file")} written to ${target}`,
    ]);
  },
};
