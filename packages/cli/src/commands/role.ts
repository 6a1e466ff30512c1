import { action as editEntry } from "@retake/runtime/actions/edit-entry";
import { act } from "../act.ts";
import { type Command, wrongUsage } from "../command.ts";
import { EFFECTS, sayEntryChanged } from "../entry-changed.ts";
import { find } from "../find.ts";

export const command: Command = {
  name: "role",
  summary: "Change who speaks in an entry",
  usage: "<entry> <role>",
  most: 2,
  async run(call) {
    const [name, role] = call.args;
    const entry = find.entry(call, name);
    if (role === undefined) throw wrongUsage("Name a role: retake role <entry> <role>. retake roles lists them.");
    const params = { id: call.thread, entry: entry.id };
    sayEntryChanged(call, await act(call, editEntry, { params, query: EFFECTS, body: { role } }));
  },
};
