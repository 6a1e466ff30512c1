import { sayChanged } from "../changed.ts";
import { type Command, CommandError, EXIT, wrongUsage } from "../command.ts";
import { modelFor } from "../model-for.ts";

export const command: Command = {
  name: "compress",
  summary: "Let the model put a summary in the place of all but the last prompts and answers",
  usage: "[--keep pairs] [--model provider/model]",
  most: 0,
  options: { keep: { type: "string" }, model: { type: "string" } },
  async run(call) {
    const { workspace, thread, options } = call;
    const { keep } = options;
    if (keep !== undefined && !/^\d{1,9}$/.test(String(keep)))
      throw wrongUsage("--keep takes a whole number from 0: how many prompts with their answers stay as they are.");
    const model = await modelFor(call, thread);
    const interrupt = new AbortController();
    const onInterrupt = () => interrupt.abort();
    process.once("SIGINT", onInterrupt);
    try {
      const done = await workspace.compress(thread, {
        ...{ model, signal: interrupt.signal },
        ...(keep === undefined ? {} : { keep: Number(keep) }),
      });
      if (done.kind === "failed") throw new CommandError(EXIT.failed, done.code, done.message);
      if (done.kind === "refused") return sayChanged(call, done);
      const { operation, summary, usage } = done;
      sayChanged(call, operation, { answer: () => ({ summary, usage }), lines: summary.split("\n") });
    } finally {
      process.removeListener("SIGINT", onInterrupt);
    }
  },
};
