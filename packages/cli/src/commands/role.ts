import { action as editEntry } from "@retake/runtime/actions/edit-entry";
import { act } from "../act.ts";
import { type Command, wrongUsage } from "../command.ts";
import { EFFECTS, sayEntryChanged } from "../entry-changed.ts";
import { find } from "../find.ts";
import { newRoleLines } from "../new-role.ts";

export const command: Command = {
  name: "role",
  group: "conversation",
  summary: "Change the role of an entry",
  usage: "<entry> <role>",
  most: 2,
  places: ["entry", "role"],
  examples: [
    ["retake role 1.1 System", "a role of the list"],
    ["retake role 1.1 Reviewer", "a new one"],
  ],
  async run(call) {
    const [name, role] = call.args;
    const entry = find.entry(call, name);
    if (role === undefined) throw wrongUsage("Name a role: retake role <entry> <role>. retake roles lists them.");
    const params = { id: call.thread, entry: entry.id };
    const isNew = await newRoleLines(call, role);
    sayEntryChanged(call, await act(call, editEntry, { params, query: EFFECTS, body: { role } }), isNew);
  },
};
