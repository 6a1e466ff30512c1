import { join } from "node:path";
import { directories } from "@retake/runtime";
import { action as changeSettings } from "@retake/runtime/actions/change-settings";
import { action as getSettings } from "@retake/runtime/actions/get-settings";
import { action as listTakes } from "@retake/runtime/actions/list-takes";
import { terminalText, words } from "@retake/tui/text";
import manifest from "../package.json" with { type: "json" };
import { act } from "./act.ts";
import { askLine, type LineQuestion } from "./ask-line.ts";
import { type Call, EXIT } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { openCall } from "./open-call.ts";
import { Output } from "./output.ts";
import { PromptHistory } from "./prompt-history.ts";
import { runCommand } from "./run-command.ts";
import type { Terminal, World } from "./world.ts";

const WELCOME = `Retake: everything can be taken back.
Without a model of your own, the embedded scripted one answers. It understands, one instruction a line:
  write <path>: <content>
  append <path>: <content>
  delete <path>
  run <shell command>
Try one of them, then /undo, /redo, /history, /takes. /help lists all commands, /quit or Ctrl+D ends.
Where nothing was typed, Ctrl+Z takes the last step back and Ctrl+Y brings it again; Tab completes; Ctrl+C ends a turn.`;

/**
 * The prompt in a terminal: a line is a prompt for the agent, a line with a slash is a command, by the
 * same words as on the command line.
 */
export async function interact(world: World, terminal: Terminal): Promise<void> {
  // The first Ctrl+C ends a turn, if there is one, and never the prompt.
  let interrupts = 0;
  world.onSignal("SIGINT", () => {
    interrupts += 1;
    if (interrupts > 1) world.exit(130);
  });
  const run = (args: string[]) => {
    interrupts = 0;
    return runCommand(args, world, "prompt");
  };
  const output = new Output(false, world);
  const history = new PromptHistory(join(directories(world.environment).state, "prompts.jsonl"));
  output.line(WELCOME);
  let leaving = false;
  // A draft that the user put aside does not come back in the next session (F29).
  let aside = "";
  const leave = async () => {
    if (aside !== "" && (await readPromptContext(world)).draft === aside) await changeDraft(world, "");
  };
  // The draft of the last session, and later the prompt that an undo returns.
  for (let returns = true; ; ) {
    const place = await readPromptContext(world);
    const draft = returns ? place.draft : "";
    const typed = await askLine(world, terminal, { ...promptLine(output, place), draft, history: history.lines });
    if (draft !== "" && typed.kind !== "undo" && typed.kind !== "redo") aside = draft;
    if (typed.kind === "end" || (typed.kind === "leave" && leaving)) return leave();
    leaving = typed.kind === "leave";
    returns = false;
    if (leaving) output.line("Once more Ctrl+C, Ctrl+D or /quit ends.");
    if (typed.kind === "undo") returns = (await run(["undo", "--step"])) === EXIT.done;
    if (typed.kind === "redo") returns = (await run(["redo"])) === EXIT.done;
    if (typed.kind !== "line") continue;
    const args = commandOf(typed.line.trim());
    history.add(typed.line, { stored: !place.private && args?.includes("--private") !== true });
    if (args === undefined) return leave();
    if (args[0] === "run" && draft !== "" && draft !== args.at(-1)) await changeDraft(world, String(args.at(-1)));
    const code = args.length > 0 ? await run(args) : EXIT.done;
    // After a turn: text that was typed while it ran and answered none of its questions.
    const givesBack = args[0] === "undo" || args[0] === "redo";
    returns = givesBack ? code === EXIT.done : args[0] === "run" || args[0] === "retry";
  }
}

/** The command line that a line is; none for an empty one, undefined for the end. */
function commandOf(line: string): string[] | undefined {
  if (line === "") return [];
  if (!line.startsWith("/")) return ["run", "--", line];
  const [name = "", ...rest] = words(line.slice(1));
  return name === "quit" || name === "exit" ? undefined : [name, ...rest];
}

interface PromptContext {
  readonly title: string;
  /** Present where there are several takes. */
  readonly take: string | undefined;
  readonly draft: string;
  readonly private: boolean;
}

function promptLine(output: Output, { title, take }: PromptContext): Pick<LineQuestion, "prompt"> {
  const where = [title, ...(take === undefined ? [] : [take])].filter((each) => each !== "").join(" · ");
  return {
    prompt: terminalText(`\n${output.style("dim", where)}${where === "" ? "" : " "}${output.style("cyan", "›")} `),
  };
}

async function readPromptContext(world: World): Promise<PromptContext> {
  return withCall(world, async (call) => {
    const current = call.workspace.currentThread();
    if (!current) return { title: "", take: undefined, draft: "", private: false };
    const { id, title, private: isPrivate } = current;
    const { draft } = await act(call, getSettings, { params: { id } });
    const { takes } = await act(call, listTakes, { params: { id } });
    const take = takes.length > 1 ? takes.find(({ active }) => active)?.name : undefined;
    return { title, take, draft, private: isPrivate };
  });
}

/** Sets the draft. A prompt that was made from the draft becomes the draft first, so that its turn empties it. */
async function changeDraft(world: World, draft: string): Promise<void> {
  await withCall(world, async (call) => {
    const current = call.workspace.currentThread();
    if (current) await act(call, changeSettings, { params: { id: current.id }, body: { draft, typing: true } });
  });
}

async function withCall<T>(world: World, work: (call: Call) => Promise<T>): Promise<T> {
  const close: (() => Promise<void>)[] = [];
  const output = new Output(false, world, "prompt");
  try {
    return await work(openCall({ options: {}, args: [], output, world, commands: COMMANDS }, manifest.version, close));
  } finally {
    for (const each of close) await each();
  }
}
