import { existsSync } from "node:fs";
import { join } from "node:path";
import { action as changeContext } from "@retake/runtime/actions/change-context";
import { action as getContext } from "@retake/runtime/actions/get-context";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";
import { workspacePath } from "../workspace-path.ts";

export const command: Command = {
  name: "context",
  group: "setup",
  summary: "List, add or remove files that the model always sees",
  usage: "[add|remove <file>]",
  most: 2,
  places: ["add-or-remove"],
  options: {
    outside: {
      type: "boolean",
      about: "the file may lie outside of the workspace, or behind a link that leads there; it is sent to the model",
    },
  },
  examples: [
    ["retake context add notes.txt", "show it with every prompt"],
    ["retake context", "the list"],
  ],
  async run(call) {
    const { output } = call;
    const params = { id: call.thread };
    const [action, named] = call.args;
    if (action === undefined) {
      const answer = await act(call, getContext, { params });
      return output.say(answer, () => [
        ...(answer.context.length === 0 ? ["No context files."] : answer.context.map(({ path }) => path)),
        output.hint("retake context add <path>"),
      ]);
    }
    if ((action !== "add" && action !== "remove") || !named)
      throw wrongUsage("Say retake context add <path> or retake context remove <path>.");
    const path = workspacePath(call, named);
    const body = action === "add" ? { add: path, outside: call.options["outside"] === true } : { remove: path };
    const missing =
      action === "add" && !existsSync(join(call.workspace.root, path)) && !existsSync(path)
        ? [output.hint(`There is no file ${path} yet; it is sent once it is there. retake context remove <file>`)]
        : [];
    sayChanged(call, await act(call, changeContext, { params, body }), missing);
  },
};
