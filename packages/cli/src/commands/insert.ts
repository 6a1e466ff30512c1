import { activeTake, insertEntry } from "@retake/core";
import { entryAnswer } from "@retake/runtime";
import { changeConversation } from "../change-conversation.ts";
import { sayChanged } from "../changed.ts";
import type { Command } from "../command.ts";
import { findEntry } from "../find-entry.ts";
import { readText } from "../read-text.ts";

export const command: Command = {
  name: "insert",
  summary: "A new entry before another, or at the end; without text, in $EDITOR",
  usage: "[--before entry] [--role r] [--content text | -]",
  most: 1,
  options: { before: { type: "string" }, role: { type: "string" }, content: { type: "string" } },
  async run(call) {
    const { workspace, thread, options } = call;
    const { before, role } = options;
    const place =
      typeof before === "string"
        ? { before: workspace.store.read(thread, ({ state }) => findEntry(state, activeTake(state), before).id) }
        : {};
    const content = await readText(call, call.args[0]);
    const entry = { id: workspace.store.identity.id(), content, ...(typeof role === "string" ? { role } : {}) };
    const { done, effects, lines } = changeConversation(call, (state, context) =>
      insertEntry(state, context, { entry, ...place }),
    );
    sayChanged(call, done, { answer: (state) => ({ ...entryAnswer(state, entry.id), effects }), lines });
  },
};
