import { activeTake, removeEntry } from "@retake/core";
import { entryJson } from "@retake/runtime";
import { changeConversation } from "../change-conversation.ts";
import { sayChanged } from "../changed.ts";
import type { Command } from "../command.ts";
import { findEntry } from "../find-entry.ts";

export const command: Command = {
  name: "remove",
  summary: "Remove an entry",
  usage: "<entry>",
  most: 1,
  async run(call) {
    const entry = call.workspace.store.read(call.thread, ({ state }) =>
      findEntry(state, activeTake(state), call.args[0]),
    );
    const { done, effects, lines } = changeConversation(call, (state, context) =>
      removeEntry(state, context, { entry: entry.id }),
    );
    sayChanged(call, done, { answer: () => ({ entry: entryJson(entry), effects }), lines });
  },
};
