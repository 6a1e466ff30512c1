import { action as editEntry } from "@retake/runtime/actions/edit-entry";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { EFFECTS, sayEntryChanged } from "../entry-changed.ts";
import { find } from "../find.ts";
import { readText } from "../read-text.ts";

export const command: Command = {
  name: "edit",
  group: "conversation",
  summary: "Change the text of an entry; without text, in $EDITOR",
  usage: "<entry> [-]",
  most: 2,
  places: ["entry"],
  details: ["With - the text is read from the standard input."],
  options: {
    content: { type: "string", value: "text", about: "the new text" },
    file: { type: "string", value: "file", about: "a file that holds the new text" },
  },
  examples: [
    ['retake edit 1.0 --content "write notes.txt: a better idea"', "another prompt"],
    ["retake edit 1.0 --file notes.txt", "the text of a file"],
  ],
  async run(call) {
    const [name, dash] = call.args;
    const entry = find.entry(call, name);
    const content = await readText(call, dash, entry.content);
    const params = { id: call.thread, entry: entry.id };
    sayEntryChanged(call, await act(call, editEntry, { params, query: EFFECTS, body: { content } }));
  },
};
