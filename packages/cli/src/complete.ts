import { activeTake, entries, liveTakes, preview, roleOf, roles, SETTING_FIELDS } from "@retake/core";
import {
  CONFIG_KEYS,
  directories,
  entryNames,
  findThread,
  historySteps,
  nameOfOperation,
  nameOfTurn,
  Runtime,
  threadNames,
  type Workspace,
} from "@retake/runtime";
import type { Command, Commands, Named, Option, Options } from "./command.ts";
import { GLOBAL_OPTIONS } from "./command-usage.ts";
import { directoryOf } from "./open-call.ts";
import type { World } from "./world.ts";

/** A word that completes the line, and its description. */
export interface Candidate {
  readonly word: string;
  readonly about?: string;
}

/** The part of the world that completions depend on. */
export type CompletionWorld = Pick<World, "environment" | "directory" | "now" | "shownThread">;

/** The completions of the last of these words; they are the words after `retake`, or after a slash. */
export async function complete(
  commands: Commands,
  words: readonly string[],
  world: CompletionWorld,
): Promise<Candidate[]> {
  const [name = "", ...rest] = words;
  const partial = words.at(-1) ?? "";
  const found = rest.length === 0 ? await commandNames(commands) : await argumentsOf(commands, name, rest, world);
  // A name is offered as it can be typed: with the # only where somebody has begun so.
  const typed = partial.startsWith("#") ? found : found.map((each) => ({ ...each, word: each.word.replace(/^#/, "") }));
  return typed.filter(({ word }) => word.startsWith(partial));
}

async function commandNames(commands: Commands): Promise<Candidate[]> {
  const all = await Promise.all(Object.values(commands).map(async (load) => (await load()).command));
  return all.map(({ name, summary }) => ({ word: name, about: summary }));
}

async function argumentsOf(
  commands: Commands,
  name: string,
  rest: readonly string[],
  world: CompletionWorld,
): Promise<Candidate[]> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) return [];
  const { command } = await load();
  const before = rest.at(-2) ?? "";
  const option = before.startsWith("--") ? before.slice(2) : "";
  const declared = optionOf(command, option);
  if (declared?.choices) return declared.choices.map((word) => ({ word }));
  if (declared?.type === "string") return values(declared.names, rest, world);
  if (rest.at(-1)?.startsWith("-")) return optionNames(command);
  const given = rest
    .slice(0, -1)
    .filter((word, at) => !word.startsWith("-") && optionOf(command, optionAt(rest, at))?.type !== "string");
  return values(command.places?.[given.length], rest, world);
}

/** The option that the word at a place is the value of. */
function optionAt(words: readonly string[], at: number): string {
  const before = words[at - 1] ?? "";
  return before.startsWith("--") ? before.slice(2) : "";
}

function optionOf(command: Command, name: string): Option | undefined {
  const options: Options = { ...GLOBAL_OPTIONS, ...command.options };
  return Object.hasOwn(options, name) ? options[name] : undefined;
}

function optionNames({ options = {} }: Command): Candidate[] {
  const shown = Object.entries<Option>({ ...options, ...GLOBAL_OPTIONS }).filter(([, { hidden }]) => !hidden);
  return shown.map(([name, { about }]) => ({ word: `--${name}`, about }));
}

const listed =
  (...words: string[]) =>
  (): Candidate[] =>
    words.map((word) => ({ word }));

const VALUES = {
  shell: listed("bash", "zsh", "fish"),
  model: listed("scripted/default"),
  setting: listed(...SETTING_FIELDS),
  "add-or-remove": listed("add", "remove"),
  "config-key": listed(
    ...CONFIG_KEYS.filter(({ pattern }) => !pattern.includes("*")).map(({ pattern }) => pattern.join(".")),
  ),
  thread: (workspace: Workspace) => {
    const nameOf = threadNames(workspace, workspace.currentThread()?.id);
    return workspace.threads().map((thread) => ({ word: nameOf(thread), about: thread.title }));
  },
  take: (workspace: Workspace, thread: string) =>
    workspace.store.read(thread, ({ state }) => liveTakes(state).map(({ name }) => ({ word: name, about: "take" }))),
  "thread-or-take": (workspace: Workspace, thread: string): Candidate[] => [
    ...VALUES.take(workspace, thread),
    ...VALUES.thread(workspace),
  ],
  entry: (workspace: Workspace, thread: string) =>
    workspace.store.names(thread, (scope) => {
      const { state } = scope.history;
      const nameOf = entryNames(scope);
      return [...entries(state, activeTake(state))].map((entry) => ({
        word: nameOf(entry.id),
        about: `${entry.role}: ${preview(entry)}`,
      }));
    }),
  role: (workspace: Workspace, thread: string) =>
    workspace.store.read(thread, ({ state }) => roles(state, activeTake(state)).map((word) => ({ word }))),
  /** Only the last steps: a user who means an older one knows its name. */
  point: (workspace: Workspace, thread: string) =>
    workspace.store.names(thread, (scope) => {
      const found: Candidate[] = [];
      for (const { operation } of historySteps(scope.history)) {
        const { id, turn_id, description } = operation;
        const turn = roleOf(operation) === "turn" ? turn_id : undefined;
        found.push({
          word: turn === undefined ? nameOfOperation(scope, id) : nameOfTurn(scope, turn),
          about: description,
        });
        if (found.length === MOST_STEPS) break;
      }
      return found;
    }),
} as const satisfies Record<Named, (workspace: Workspace, thread: string) => Candidate[]>;

const MOST_STEPS = 200;

/** Nothing is said of what cannot be read: a completion must not fail loudly. */
async function values(kind: Named | undefined, words: readonly string[], world: CompletionWorld): Promise<Candidate[]> {
  if (kind === undefined) return [];
  const make: (workspace: Workspace, thread: string) => Candidate[] = VALUES[kind];
  if (make.length === 0) return make(undefined as never, "");
  const at = words.indexOf("--workspace");
  const named = at >= 0 ? words[at + 1] : undefined;
  const { environment, now } = world;
  const runtime = new Runtime({ directories: directories(environment), version: "", environment, now });
  const workspace = runtime.workspace(directoryOf(runtime, world, named));
  try {
    const chosenName = words.includes("--thread") ? (words[words.indexOf("--thread") + 1] ?? "") : world.shownThread;
    const chosen = chosenName === undefined ? workspace.currentThread() : findThread(workspace, chosenName);
    const thread = chosen && "id" in chosen ? chosen.id : undefined;
    return thread === undefined && make.length > 1 ? [] : make(workspace, thread ?? "");
  } catch {
    return [];
  } finally {
    await runtime.close();
  }
}
