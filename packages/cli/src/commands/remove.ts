import { action as removeEntry } from "@retake/runtime/actions/remove-entry";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { EFFECTS, sayEntryChanged } from "../entry-changed.ts";
import { find } from "../find.ts";

export const command: Command = {
  name: "remove",
  summary: "Remove an entry",
  usage: "<entry>",
  most: 1,
  async run(call) {
    const entry = find.entry(call, call.args[0]);
    const params = { id: call.thread, entry: entry.id };
    sayEntryChanged(call, await act(call, removeEntry, { params, query: EFFECTS }));
  },
};
