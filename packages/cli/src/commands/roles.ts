import { action as changeRoles } from "@retake/runtime/actions/change-roles";
import { action as getRoles } from "@retake/runtime/actions/get-roles";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";

export const command: Command = {
  name: "roles",
  group: "conversation",
  summary: "List, add or remove roles of the conversation",
  usage: "[add|remove <role>]",
  most: 2,
  places: ["add-or-remove", "role"],
  examples: [
    ["retake roles", "the list"],
    ["retake roles add Reviewer", "a new role"],
  ],
  async run(call) {
    const { output } = call;
    const params = { id: call.thread };
    const [action, role] = call.args;
    if (action === undefined) {
      const answer = await act(call, getRoles, { params });
      return output.say(answer, () => [...answer.roles, output.hint("retake roles add <role>")]);
    }
    if ((action !== "add" && action !== "remove") || role === undefined)
      throw wrongUsage("Say retake roles add <role> or retake roles remove <role>.");
    const body = action === "add" ? { add: role } : { remove: role };
    sayChanged(call, await act(call, changeRoles, { params, body }));
  },
};
