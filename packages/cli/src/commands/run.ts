import { type Call, type Command, wrongUsage } from "../command.ts";
import { findThread } from "../find-thread.ts";
import { modelFor } from "../model-for.ts";
import { cut } from "../output.ts";
import { sayEnded, watchTurn } from "../watch-turn.ts";

export const command: Command = {
  name: "run",
  summary: "One turn: send a prompt, and watch what the agent does",
  usage: "<prompt> [--model provider/model] [--new] [--yes] [--private]",
  options: {
    model: { type: "string" },
    new: { type: "boolean" },
    yes: { type: "boolean" },
    private: { type: "boolean" },
  },
  async run(call) {
    const prompt = call.args.join(" ");
    if (prompt.trim() === "") throw wrongUsage("Give a prompt: retake run <prompt>");
    const thread = await threadFor(call, prompt);
    const model = await modelFor(call, thread);
    const ended = await watchTurn(call, (watch) => call.retake.run({ thread, prompt, model, ...watch }));
    sayEnded(ended);
  },
};

/** `--private` begins a discussion too: what was said in one that is not private may have left the machine. */
async function threadFor(call: Call, prompt: string): Promise<string> {
  const { retake, options } = call;
  const kept = options["private"] === true;
  if (options["thread"] !== undefined && options["new"] !== true) return kept ? privateThread(call) : call.thread;
  if (!kept && options["new"] !== true && retake.threads().length > 0) return call.thread;
  const taken = new Set(retake.threads().map(({ title }) => title));
  const title = cut(prompt.replace(/\s+/g, " ").trim(), 40).replaceAll("_take_", " take ");
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? title : `${title} ${number}`;
    if (!taken.has(name)) return retake.newThread(name, { private: kept });
  }
}

function privateThread({ retake, options }: Call): string {
  const { id, title, private: kept } = findThread(retake, options["thread"]);
  if (kept) return id;
  throw wrongUsage(`${title} is not private and cannot become it. Without --thread, --private begins a new one.`);
}
