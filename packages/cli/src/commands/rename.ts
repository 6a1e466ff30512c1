import { action as changeThread } from "@retake/runtime/actions/change-thread";
import { action as renameTake } from "@retake/runtime/actions/rename-take";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";
import { find } from "../find.ts";

export const command: Command = {
  name: "rename",
  group: "takes",
  summary: "Give a take or a thread another name",
  usage: "<take|thread> <name>",
  most: 2,
  places: ["thread-or-take"],
  examples: [
    ["retake rename main_take_1 main_take_7", "a take"],
    ["retake rename scratch ideas", "a thread"],
  ],
  async run(call) {
    const [which, name] = call.args;
    const found = find.threadOrTake(call, which);
    if (name === undefined) throw wrongUsage("Give it a name: retake rename <thread|take> <name>");
    if (found.kind === "take") {
      const params = { id: call.thread, take: found.take.id };
      return sayChanged(call, await act(call, renameTake, { params, body: { name } }));
    }
    const { id } = found.thread;
    const { output, options } = call;
    const answer = await act(call, changeThread, { params: { id }, body: { title: name } });
    sayChanged({ output, options: { ...options, thread: id } }, answer);
  },
};
