import { action as materialize } from "@retake/runtime/actions/materialize";
import { act } from "../act.ts";
import { type Command, wrongUsage } from "../command.ts";
import { plural } from "../output.ts";
import { pathIn } from "../world.ts";

export const command: Command = {
  name: "materialize",
  group: "files",
  summary: "Write the files of any point to another directory, which must be new or empty",
  usage: "<turn|operation|snapshot> <directory>",
  most: 2,
  places: ["point"],
  examples: [
    ["retake materialize 2 ../as-it-was", "the files at the end of turn 2"],
    ["retake materialize first-plan ../first-plan", "those of a snapshot"],
  ],
  async run(call) {
    const { output } = call;
    const [name, directory] = call.args;
    if (name === undefined || directory === undefined)
      throw wrongUsage("Name a turn, an operation or a snapshot, and a directory: retake materialize <turn> <dir>");
    const params = { id: call.thread };
    const body = { at: name, directory: pathIn(call.world, directory) };
    const answer = await act(call, materialize, { params, body });
    const { files, directory: target } = answer;
    output.say(answer, () => [`${output.style("green", "✓")} ${plural(files, "file")} written to ${target}`]);
  },
};
