import { action as editEntry } from "@retake/runtime/actions/edit-entry";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { EFFECTS, sayEntryChanged } from "../entry-changed.ts";
import { find } from "../find.ts";
import { readText } from "../read-text.ts";

export const command: Command = {
  name: "edit",
  summary: "Change the text of an entry; without text, in $EDITOR",
  usage: "<entry> [--content text | --file file | -]",
  most: 2,
  options: { content: { type: "string" }, file: { type: "string" } },
  async run(call) {
    const [name, dash] = call.args;
    const entry = find.entry(call, name);
    const content = await readText(call, dash, entry.content);
    const params = { id: call.thread, entry: entry.id };
    sayEntryChanged(call, await act(call, editEntry, { params, query: EFFECTS, body: { content } }));
  },
};
