import { activeTake, addRole, removeRole, roles } from "@retake/core";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";

export const command: Command = {
  name: "roles",
  summary: "Who can speak in the conversation",
  usage: "[add|remove <role>]",
  most: 2,
  async run(call) {
    const { workspace, thread, output } = call;
    const [action, role] = call.args;
    if (action === undefined) {
      const list = workspace.store.read(thread, ({ state }) => roles(state, activeTake(state)));
      return output.say({ roles: list }, () => [...list, output.style("dim", "  retake roles add <role>")]);
    }
    if ((action !== "add" && action !== "remove") || role === undefined)
      throw wrongUsage("Say retake roles add <role> or retake roles remove <role>.");
    const build = action === "add" ? addRole : removeRole;
    const done = workspace.store.change(thread, (state, context) => build(state, context, { role }));
    sayChanged(call, done, { answer: (state) => ({ roles: roles(state, activeTake(state)) }) });
  },
};
