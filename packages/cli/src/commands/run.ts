import { activeTake, setting } from "@retake/core";
import { openModel, SCRIPTED_MODEL, tools } from "@retake/runtime";
import { askApproval } from "../ask-approval.ts";
import { type Call, type Command, CommandError, EXIT, refused, wrongUsage } from "../command.ts";
import { findThread } from "../find-thread.ts";
import { cut } from "../output.ts";
import { TurnPrinter } from "../turn-printer.ts";

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
    await runPrompt(call, thread, prompt);
  },
};

/** Runs one turn in a thread and prints it as it comes. */
export async function runPrompt(call: Call, thread: string, prompt: string): Promise<void> {
  const { retake, options, output } = call;
  const opened = await openModel(modelName(call, thread), { environment: process.env });
  if (opened.kind === "refused") throw new CommandError(EXIT.usage, opened.code, opened.message);
  const interrupt = new AbortController();
  let interrupts = 0;
  const onInterrupt = () => {
    interrupts += 1;
    // The first ends the turn, the second the process.
    if (interrupts > 1) process.exit(130);
    interrupt.abort();
  };
  process.on("SIGINT", onInterrupt);
  const printer = new TurnPrinter(output);
  try {
    const result = await retake.run({
      thread,
      prompt,
      tools,
      model: opened.model,
      approveAll: options["yes"] === true,
      approve: (question) => askApproval(output, question),
      onEvent: (event) => printer.print(event),
      signal: interrupt.signal,
    });
    if ("code" in result) throw refused(result);
    if ("kind" in result) throw new CommandError(EXIT.failed, "busy", result.message);
    if (result.failure)
      throw new CommandError(
        EXIT.failed,
        String(result.failure["code"]),
        `${result.failure["message"]} ${result.failure["advice"]}`,
      );
    if (result.status !== "finished") {
      throw new CommandError(
        EXIT.failed,
        result.status,
        `The turn did not finish: ${result.status}. What it did can be taken back: retake undo`,
      );
    }
  } finally {
    process.removeListener("SIGINT", onInterrupt);
  }
}

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

function modelName({ retake, options }: Call, thread: string): string {
  const chosen = retake.read(thread, ({ state }) => setting(state, activeTake(state), "model"));
  return String(options["model"] ?? (chosen || process.env["RETAKE_MODEL"] || SCRIPTED_MODEL));
}
