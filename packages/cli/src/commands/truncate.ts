import { action as truncate } from "@retake/runtime/actions/truncate";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";

export const command: Command = {
  name: "truncate",
  group: "conversation",
  summary: "Keep the last pairs of prompt and answer, and remove the entries before them",
  usage: "<pairs>",
  most: 1,
  examples: [
    ["retake truncate 1", "keep the last prompt and its answer"],
    ["retake truncate 0 --thread scratch", "remove all of another thread"],
  ],
  async run(call) {
    const [text] = call.args;
    if (text === undefined || !/^\d{1,9}$/.test(text))
      throw wrongUsage("Say how many pairs to keep, a whole number from 0: retake truncate <pairs>");
    const pairs = Number(text);
    sayChanged(call, await act(call, truncate, { params: { id: call.thread }, body: { pairs } }));
  },
};
