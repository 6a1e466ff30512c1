import { activeTake } from "@retake/core";
import { action as editEntry } from "@retake/runtime/actions/edit-entry";
import { act } from "../act.ts";
import { type Command, wrongUsage } from "../command.ts";
import { EFFECTS, sayEntryChanged } from "../entry-changed.ts";
import { findEntry } from "../find-entry.ts";

export const command: Command = {
  name: "role",
  summary: "Change who speaks in an entry",
  usage: "<entry> <role>",
  most: 2,
  async run(call) {
    const [name, role] = call.args;
    const entry = call.workspace.store.read(call.thread, ({ state }) => findEntry(state, activeTake(state), name));
    if (role === undefined) throw wrongUsage("Name a role: retake role <entry> <role>. retake roles lists them.");
    const params = { id: call.thread, entry: entry.id };
    sayEntryChanged(call, await act(call, editEntry, { params, query: EFFECTS, body: { role } }));
  },
};
