/**
 * Commands with a slash, by the same words as on the command line. Those that have a screen of their own open it; all others run
 * as they do there, and their lines are shown.
 */
import { APPROVAL_MODES } from "@retake/core";
import type { Choice } from "../ports.ts";
import { words } from "../text/index.ts";
import { redoStep, send, undoTurns } from "./actions.ts";
import { call } from "./effect.ts";
import type { ListName, Model, TurnOptions } from "./model.ts";
import { helpPlace } from "./places/help-place.ts";
import { openPlace } from "./places/open-place.ts";
import { textPlace } from "./places/text-place.ts";
import { continueQueue, unqueue } from "./queue.ts";
import { withoutThread } from "./shown-thread.ts";
import { andThen, pushPlace, type Step, say, step } from "./step.ts";

/** Commands that need the terminal for themselves: an editor or a pager. */
const WITH_TERMINAL = new Set(["edit", "insert", "log"]);
const ELSEWHERE = new Set(["web", "serve", "completion", "acp", "sync-server"]);

/** Commands that only a screen has. */
const OWN_COMMANDS: readonly Choice[] = [
  { word: "/turns", about: "The turns with what each changed: take back one, or everything since" },
  { word: "/review", about: "What the last turn changed, file by file and hunk by hunk" },
  { word: "/new", about: "A new thread" },
  { word: "/help", about: "What the keys do" },
  { word: "/suspend", about: "Back to the shell, until fg" },
  { word: "/quit", about: "Leave; everything is kept" },
];

/** The commands that a line could begin with: those of the command line that can run here, and those of the screen. */
export function commandChoices(line: string, found: readonly Choice[]): readonly Choice[] {
  if (!/^\/\S*$/.test(line)) return found;
  const own = OWN_COMMANDS.filter(({ word }) => word.startsWith(line)).map((each) => ({
    ...each,
    word: `${each.word} `,
  }));
  const names = new Set(own.map(({ word }) => word));
  const others = found.filter(({ word }) => !ELSEWHERE.has(word.slice(1).trim()) && !names.has(word));
  return [...own, ...others];
}
const PLACES: ReadonlySet<string> = new Set<ListName>([
  "turns",
  "history",
  "takes",
  "review",
  "search",
  "settings",
  "context",
  "threads",
]);

export function slashCommand(model: Model, text: string): Step {
  const [name = "", ...args] = words(text.slice(1));
  const isPlain = !args.some((each) => each.startsWith("--"));
  if (PLACES.has(name) && (args.length === 0 || name === "search"))
    return openPlace(model, name as ListName, args.length > 0 ? { words: args.join(" ") } : {});
  switch (name) {
    case "quit":
    case "exit":
      return step(model, { kind: "quit" });
    case "help":
      return args.length === 0 ? step(pushPlace(model, helpPlace(model.ctrlZ))) : run(model, [...args, "--help"]);
    case "suspend":
      return step(model, { kind: "suspend" });
    case "undo":
      if (isPlain && args.length <= 1 && /^[1-9]\d{0,5}$/.test(args[0] ?? "1"))
        return undoTurns(model, Number(args[0] ?? 1));
      break;
    case "redo":
      if (args.length === 0) return redoStep(model);
      break;
    case "retry":
      if (isPlain && model.thread !== undefined)
        return step(
          { ...model, anchor: undefined },
          call("retry", [model.thread, args.length > 0 ? { prompt: args.join(" ") } : {}], { for: "changed" }),
        );
      break;
    case "queue":
      if (args.length === 1 && args[0] === "continue") return continueQueue(model);
      if (args.length === 2 && args[0] === "remove") return unqueue(model, model.queue[Number(args[1]) - 1]);
      break;
    case "compare":
      if (isPlain && args.length === 2) return openPlace(model, "compare", { a: args[0] ?? "", b: args[1] ?? "" });
      break;
    case "run":
      return runPrompt(model, args);
    case "new":
      return andThen(withoutThread(model), (next) =>
        args.length > 0 ? send(next, args.join(" ")) : say(next, "A new thread begins with your next prompt."),
      );
    default:
      break;
  }
  if (ELSEWHERE.has(name))
    return say(model, `/${name} keeps running: start it in another terminal, as retake ${name}.`);
  if (WITH_TERMINAL.has(name))
    return step(model, { kind: "command", args: inThread(model, [name, ...args]), terminal: true });
  return run(model, [name, ...args]);
}

function run(model: Model, args: readonly string[]): Step {
  return step(pushPlace(model, textPlace(`/${args.join(" ")}`, true)), {
    kind: "command",
    args: inThread(model, args),
    terminal: false,
  });
}

/** Commands that are about no thread. */
const WITHOUT_THREAD = new Set("help threads config doctor gc models import search switch approvals".split(" "));

/** A command about the thread that is on the screen, which need not be the workspace's current one. */
export function inThread({ thread }: Model, args: readonly string[]): readonly string[] {
  const isOther = thread === undefined || args.includes("--thread") || WITHOUT_THREAD.has(args[0] ?? "");
  return isOther ? args : [...args, "--thread", thread];
}

/** `/run --model p/m --new words …`: a prompt with options of its own. */
function runPrompt(model: Model, args: readonly string[]): Step {
  let options: TurnOptions = {};
  let isNew = false;
  const prompt: string[] = [];
  const rest = [...args];
  for (let each = rest.shift(); each !== undefined; each = rest.shift()) {
    if (each === "--model") options = { ...options, model: rest.shift() ?? "" };
    else if (each === "--approve") {
      const approve = APPROVAL_MODES.find((mode) => mode === rest[0]);
      if (!approve) return say(model, `--approve takes ${APPROVAL_MODES.join(", ")}, not '${rest[0] ?? ""}'.`, "error");
      rest.shift();
      options = { ...options, approve };
    } else if (each === "--yes") options = { ...options, approve: "undoable", questions: false };
    else if (each === "--new") isNew = true;
    else if (each.startsWith("--") && each !== "--")
      return say(model, `/run takes --model, --approve, --yes and --new here, not ${each}.`, "error");
    else if (each !== "--") prompt.push(each);
  }
  if (prompt.length === 0) return say(model, "Give a prompt: /run <prompt>.", "error");
  return andThen(isNew ? withoutThread(model) : step(model), (next) => send(next, prompt.join(" "), options));
}
