import { action as compress } from "@retake/runtime/actions/compress";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import { type Command, textOption, wrongUsage } from "../command.ts";
import { MODEL_OPTION } from "../usable-model.ts";

export const command: Command = {
  name: "compress",
  group: "conversation",
  summary: "Let the model replace all but the last prompts and answers by a summary",
  usage: "",
  most: 0,
  options: {
    keep: {
      type: "string",
      value: "pairs",
      about: "how many prompts stay with their answers; otherwise 2, or fewer where there are no others",
    },
    ...MODEL_OPTION,
  },
  examples: [
    ["retake compress", "keep the last two"],
    ["retake compress --keep 1", "keep the last one"],
  ],
  async run(call) {
    const { thread } = call;
    const keep = textOption(call, "keep");
    if (keep !== undefined && !/^\d{1,9}$/.test(keep))
      throw wrongUsage("--keep takes a whole number from 0: how many prompts with their answers stay as they are.");
    const interrupt = new AbortController();
    const onInterrupt = () => interrupt.abort();
    const leave = call.world.onSignal("SIGINT", onInterrupt);
    try {
      const body = { model: textOption(call, "model"), keep: keep === undefined ? undefined : Number(keep) };
      const answer = await act(call, compress, { params: { id: thread }, body, signal: interrupt.signal });
      sayChanged(call, answer, answer.summary?.split("\n"));
    } finally {
      leave();
    }
  },
};
