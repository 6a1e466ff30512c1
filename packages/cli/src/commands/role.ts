import { activeTake, changeRole } from "@retake/core";
import { entryAnswer } from "@retake/runtime";
import { changeConversation } from "../change-conversation.ts";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";
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
    const { done, effects, lines } = changeConversation(call, (state, context) =>
      changeRole(state, context, { entry: entry.id, role }),
    );
    sayChanged(call, done, { answer: (state) => ({ ...entryAnswer(state, entry.id), effects }), lines });
  },
};
