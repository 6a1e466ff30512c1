import { action as changeContext } from "@retake/runtime/actions/change-context";
import { action as getContext } from "@retake/runtime/actions/get-context";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";
import { workspacePath } from "../workspace-path.ts";

export const command: Command = {
  name: "context",
  summary: "The files that the model is always shown",
  usage: "[add|remove <path>]",
  most: 2,
  async run(call) {
    const { workspace, output } = call;
    const params = { id: call.thread };
    const [action, named] = call.args;
    if (action === undefined) {
      const answer = await act(call, getContext, { params });
      return output.say(answer, () => [
        ...(answer.context.length === 0 ? ["No context files."] : answer.context.map(({ path }) => path)),
        output.style("dim", "  retake context add <path>"),
      ]);
    }
    if ((action !== "add" && action !== "remove") || named === undefined)
      throw wrongUsage("Say retake context add <path> or retake context remove <path>.");
    const path = workspacePath(workspace.root, named);
    const body = action === "add" ? { add: path } : { remove: path };
    sayChanged(call, await act(call, changeContext, { params, body }));
  },
};
