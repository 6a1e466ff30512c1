import { renameTake } from "@retake/core";
import { changeThreadFacts, takeJson } from "@retake/runtime";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";
import { findThreadOrTake } from "../find-thread-or-take.ts";

export const command: Command = {
  name: "rename",
  summary: "Give a discussion or a take another name",
  usage: "<thread|take> <name>",
  most: 2,
  async run(call) {
    const { workspace } = call;
    const [which, name] = call.args;
    const found = findThreadOrTake(call, which);
    if (name === undefined) throw wrongUsage("Give it a name: retake rename <thread|take> <name>");
    if (found.kind === "take") {
      const { take } = found;
      const done = workspace.store.change(call.thread, (state, context) =>
        renameTake(state, context, { take: take.id, name }),
      );
      return sayChanged(call, done, { answer: (state) => ({ take: takeJson(state, { ...take, name }) }) });
    }
    const { thread } = found;
    const done = changeThreadFacts(workspace, thread.id, { title: name });
    sayChanged({ ...call, thread: thread.id, options: { ...call.options, thread: thread.id } }, done, {
      answer: () => ({ thread: thread.id, title: name }),
    });
  },
};
