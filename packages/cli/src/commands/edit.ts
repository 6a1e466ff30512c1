import { activeTake, editEntry } from "@retake/core";
import { entryAnswer } from "@retake/runtime";
import { changeConversation } from "../change-conversation.ts";
import { sayChanged } from "../changed.ts";
import type { Command } from "../command.ts";
import { findEntry } from "../find-entry.ts";
import { readText } from "../read-text.ts";

export const command: Command = {
  name: "edit",
  summary: "Change the text of an entry; without text, in $EDITOR",
  usage: "<entry> [--content text | --file file | -]",
  most: 2,
  options: { content: { type: "string" }, file: { type: "string" } },
  async run(call) {
    const [name, dash] = call.args;
    const entry = call.workspace.store.read(call.thread, ({ state }) => findEntry(state, activeTake(state), name));
    const content = await readText(call, dash, entry.content);
    const { done, effects, lines } = changeConversation(call, (state, context) =>
      editEntry(state, context, { entry: entry.id, content }),
    );
    sayChanged(call, done, { answer: (state) => ({ ...entryAnswer(state, entry.id), effects }), lines });
  },
};
