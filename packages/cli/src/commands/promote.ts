import { promoteTake } from "@retake/core";
import { takeJson } from "@retake/runtime";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";
import { findTake } from "../find-take.ts";

export const command: Command = {
  name: "promote",
  summary: "Give a take a name of its own at the top level",
  usage: "<take> <name>",
  most: 2,
  async run(call) {
    const { workspace, thread } = call;
    const [which, name] = call.args;
    const take = workspace.store.read(thread, ({ state }) => findTake(state, which));
    if (name === undefined) throw wrongUsage("Give the take a name: retake promote <take> <name>");
    const done = workspace.store.change(thread, (state, context) =>
      promoteTake(state, context, { take: take.id, name }),
    );
    sayChanged(call, done, { answer: (state) => ({ take: takeJson(state, { ...take, name }) }) });
  },
};
