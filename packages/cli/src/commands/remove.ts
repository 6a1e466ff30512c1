import { action as removeEntry } from "@retake/runtime/actions/remove-entry";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { EFFECTS, sayEntryChanged } from "../entry-changed.ts";
import { find } from "../find.ts";

export const command: Command = {
  name: "remove",
  group: "conversation",
  summary: "Remove an entry",
  usage: "<entry>",
  most: 1,
  places: ["entry"],
  examples: [
    ["retake remove 1.1", "the first answer of turn 1"],
    ["retake remove 2.0 --json", "answers with the operation, for a program"],
  ],
  async run(call) {
    const entry = find.entry(call, call.args[0]);
    const params = { id: call.thread, entry: entry.id };
    sayEntryChanged(call, await act(call, removeEntry, { params, query: EFFECTS }));
  },
};
