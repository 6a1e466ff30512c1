import { freeTitle, titleFrom } from "@retake/runtime";
import { ClientTurns } from "../client-turns.ts";
import { type Call, type Command, wrongUsage } from "../command.ts";
import { find } from "../find.ts";
import { findClient } from "../find-client.ts";
import { modelFor } from "../model-for.ts";
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
    const existing = existingThread(call);
    // Before a thread is made: a model that cannot be used leaves nothing behind.
    const model = await modelFor(call, existing);
    const { runtime, workspace, options } = call;
    const thread =
      existing ??
      (await workspace.newThread(freeTitle(workspace, titleFrom(prompt)), { private: options["private"] === true }));
    const turns = new ClientTurns(workspace, await findClient(runtime, workspace.root));
    sayEnded(await watchTurn(call, (watch) => turns.run({ thread, prompt, model }, watch)));
  },
};

/** `--private` begins a discussion too: what was said in one that is not private may have left the machine. */
function existingThread(call: Call): string | undefined {
  const { workspace, options } = call;
  const kept = options["private"] === true;
  if (options["new"] === true) return undefined;
  if (options["thread"] !== undefined) return kept ? privateThread(call) : call.thread;
  return kept || workspace.threads().length === 0 ? undefined : call.thread;
}

function privateThread({ workspace, options }: Call): string {
  const { id, title, private: kept } = find.thread(workspace, options["thread"]);
  if (kept) return id;
  throw wrongUsage(`${title} is not private and cannot become it. Without --thread, --private begins a new one.`);
}
