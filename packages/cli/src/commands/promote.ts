import { action as promoteTake } from "@retake/runtime/actions/promote-take";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";
import { find } from "../find.ts";

export const command: Command = {
  name: "promote",
  group: "takes",
  summary: "Give a take a name of its own, outside its group",
  usage: "<take> <name>",
  most: 2,
  places: ["take"],
  examples: [
    ["retake promote main_take_1 better", "name it"],
    ['retake promote main_take_1 "second try"', "a name with a space"],
  ],
  async run(call) {
    const { thread } = call;
    const [which, name] = call.args;
    const take = find.take(call, which);
    if (name === undefined) throw wrongUsage("Give the take a name: retake promote <take> <name>");
    sayChanged(call, await act(call, promoteTake, { params: { id: thread, take: take.id }, body: { name } }));
  },
};
