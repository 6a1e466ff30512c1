import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { SCRIPTED_MODEL } from "@retake/runtime";
import { ClientTurns } from "../client-turns.ts";
import { type Call, type Command, notFound, textOption, textOptions, wrongUsage } from "../command.ts";
import { fileProblem } from "../file-problem.ts";
import { find } from "../find.ts";
import { findClient } from "../find-client.ts";
import { readPrompt } from "../read-prompt.ts";
import { MODEL_OPTION, usableModel } from "../usable-model.ts";
import { APPROVING, sayEnded, watchTurn } from "../watch-turn.ts";
import { pathIn } from "../world.ts";

export const command: Command = {
  name: "run",
  group: "turns",
  summary: "Send a prompt, and watch the turn",
  usage: "[prompt | -]",
  details: [
    "The prompt is all words, or what is piped in; words and a pipe together are the words, an empty line, and what is piped in.",
  ],
  options: {
    ...MODEL_OPTION,
    new: { type: "boolean", about: "begin a new thread" },
    ...APPROVING,
    image: {
      type: "string",
      multiple: true,
      value: "file",
      about: "show the model an image; may be given several times",
    },
    private: { type: "boolean", about: "begin a new thread that never leaves this machine" },
  },
  examples: [
    ['retake run --yes "write hello.txt: Hello!"', "let the agent write a file"],
    ['cat notes.txt | retake run "What is missing here?"', "send words and a file"],
    ["retake run --new --private hello", "begin a thread of its own"],
  ],
  async run(call) {
    const prompt = await readPrompt(call);
    if (prompt.trim() === "") throw wrongUsage("Give a prompt: retake run <prompt>, or pipe one into retake run -");
    const images = readImages(call);
    const existing = existingThread(call);
    // Before the thread is created, so that an unusable model leaves no empty thread.
    if (existing === undefined && (await usableModel(call)) === SCRIPTED_MODEL) sayScripted(call);
    const found = await findClient(call);
    const turns = new ClientTurns(call, found);
    const { workspace, options } = call;
    const isPrivate = options["private"] === true;
    const thread = existing ?? (await turns.newThread(workspace.root, prompt, { private: isPrivate }));
    for (const image of images) await found.client.addScreenshot(thread, image);
    const turn = { thread, prompt, model: textOption(call, "model") };
    const { ended, denied } = await watchTurn(call, thread, (watch) => turns.run(turn, watch));
    sayEnded(ended, denied);
  },
};

/** Before a thread is created: a file that cannot be read leaves nothing behind. */
function readImages(call: Call): { readonly content: string; readonly name: string }[] {
  return textOptions(call, "image").map((file) => {
    try {
      return { content: readFileSync(pathIn(call.world, file)).toString("base64"), name: basename(file) };
    } catch (error) {
      throw notFound(`${file} ${fileProblem(error, "read")}. Nothing was started.`);
    }
  });
}

/** Once for a thread: nobody takes the scripted answers for those of a model. */
function sayScripted({ options, output, world: { environment, errors } }: Call): void {
  if ((output.json || options["model"]) ?? environment["RETAKE_MODEL"] ?? environment["RETAKE_SCRIPT"]) return;
  errors.write(output.inForm("No model is configured, so the scripted one answers. retake models lists others.\n"));
}

/** `--private` begins a thread too: the words of a thread that is not private may have left the machine. */
function existingThread(call: Call): string | undefined {
  const { workspace, options } = call;
  const isPrivate = options["private"] === true;
  if (options["new"] === true) return undefined;
  if (options["thread"] !== undefined) return isPrivate ? privateThread(call) : call.thread;
  return isPrivate || workspace.currentThread() === undefined ? undefined : call.thread;
}

function privateThread({ workspace, options }: Call): string {
  const { id, title, private: isPrivate } = find.thread(workspace, options["thread"]);
  if (isPrivate) return id;
  throw wrongUsage(`${title} is not private and cannot become it. Without --thread, --private begins a new one.`);
}
