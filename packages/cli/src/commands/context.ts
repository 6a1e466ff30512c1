import { activeTake, addPath, pathsIn, removePath, type State } from "@retake/core";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";
import { workspacePath } from "../workspace-path.ts";

export const command: Command = {
  name: "context",
  summary: "The files that the model is always shown",
  usage: "[add|remove <path>]",
  most: 2,
  async run(call) {
    const { workspace, thread, output } = call;
    const [action, named] = call.args;
    if (action === undefined) {
      const answer = workspace.store.read(thread, ({ state }) => list(state));
      return output.say(answer, () => [
        ...(answer.context.length === 0 ? ["No context files."] : answer.context.map(({ path }) => path)),
        output.style("dim", "  retake context add <path>"),
      ]);
    }
    if ((action !== "add" && action !== "remove") || named === undefined)
      throw wrongUsage("Say retake context add <path> or retake context remove <path>.");
    const path = workspacePath(workspace.root, named);
    const done = workspace.store.change(thread, (state, context) =>
      action === "add"
        ? addPath(state, context, { list: "context", member: { path } })
        : removePath(state, context, { list: "context", path }),
    );
    sayChanged(call, done, { answer: list });
  },
};

function list(state: State) {
  return { context: pathsIn(state, activeTake(state), "context") };
}
