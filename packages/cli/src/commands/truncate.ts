import { action as truncate } from "@retake/runtime/actions/truncate";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import { type Command, wrongUsage } from "../command.ts";

export const command: Command = {
  name: "truncate",
  summary: "Keep the last pairs of prompt and answer",
  usage: "<pairs>",
  most: 1,
  async run(call) {
    const [text] = call.args;
    if (text === undefined || !/^\d{1,9}$/.test(text))
      throw wrongUsage("Say how many pairs to keep, a whole number from 0: retake truncate <pairs>");
    const pairs = Number(text);
    sayChanged(call, await act(call, truncate, { params: { id: call.thread }, body: { pairs } }));
  },
};
