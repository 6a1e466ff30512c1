/** The terminal UI, wired to the client of this machine and to the commands. Loaded after the first frame. */
import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { directories, endProcesses } from "@retake/runtime";
import { runScreen, type ScreenPorts } from "@retake/tui";
import type { FullScreen } from "@retake/tui/opening";
import manifest from "../package.json" with { type: "json" };
import { completions } from "./ask-line.ts";
import type { Call } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { editText } from "./edit-text.ts";
import { findClient } from "./find-client.ts";
import { openCall } from "./open-call.ts";
import { Output } from "./output.ts";
import { PromptHistory } from "./prompt-history.ts";
import { withoutEnd } from "./read-text.ts";
import { runCommand } from "./run-command.ts";
import type { ScreenSettings } from "./screen-settings.ts";
import type { ScreenTerminal, World } from "./world.ts";

export interface OpenedScreen {
  readonly terminal: ScreenTerminal;
  readonly settings: ScreenSettings;
  /** It shows the first frame. */
  readonly shown: FullScreen;
  /** Calls back when the process is told to end; returns an unsubscribe function. */
  readonly onEnd: (end: () => void) => () => void;
}

export async function talkOnScreen(world: World, screen: OpenedScreen): Promise<void> {
  const { environment } = world;
  const { terminal, settings } = screen;
  const close: (() => Promise<void>)[] = [];
  const output = new Output(false, world, "prompt");
  const call = openCall({ options: {}, args: [], output, world, commands: COMMANDS }, manifest.version, close);
  const history = new PromptHistory(join(directories(environment).state, "prompts.jsonl"));
  const ports: ScreenPorts = {
    directory: world.directory,
    mouse: settings.mouse,
    ctrlZ: settings.ctrlZ,
    prompts: history.lines,
    now: world.now,
    open: () => open(call),
    remember: (prompt, stored) => history.add(prompt, { stored }),
    complete: async (line, thread) => {
      const at = { environment, directory: world.directory, now: world.now, shownThread: thread };
      const [found, replaced] = await completions(at, line);
      return {
        from: line.length - replaced.length,
        choices: found.map(({ word, about }) => (about === undefined ? { word } : { word, about })),
      };
    },
    files: () => filesIn(call.workspace.root),
    runCommand: (args, { terminal: own, columns, thread, print }) =>
      runCommand(
        [...args],
        own ? onTerminal(world, print) : { ...printing(world, columns, print), shownThread: thread },
        "prompt",
      ),
    edit: (text) => withoutEnd(editText(world, text).toString(), text),
    shell: (command, print, signal) => shell(world, call.workspace.root, { command, print, signal }),
    onEnd: screen.onEnd,
    suspend: () => terminal.suspend(),
  };
  try {
    for (const line of await runScreen(ports, screen.shown)) output.line(line);
  } finally {
    for (const each of close) await each();
  }
}

async function open(
  call: Call,
): Promise<{ client: Awaited<ReturnType<typeof findClient>>["client"]; thread: string | undefined; root: string }> {
  const { workspace } = call;
  await workspace.finishKilled();
  const { client } = await findClient(call);
  call.runtime.sync.start();
  return { client, thread: workspace.currentThread()?.id, root: workspace.root };
}

/** A world that captures its output, and in which no question can be asked. */
function printing(world: World, columns: number, print: (text: string) => void): World {
  const output = captured(columns, print);
  return {
    environment: world.environment,
    directory: world.directory,
    input: world.input,
    isPiped: false,
    terminal: undefined,
    output,
    errors: output,
    now: world.now,
    onSignal: () => () => {},
    exit: () => {},
  };
}

/**
 * The world of an editor or a pager: problems are for the screen, which covers the lines of the terminal right afterwards, and
 * `less` stays open also where one page has room for all.
 */
function onTerminal(world: World, print: (text: string) => void): World {
  const { environment, terminal, output } = world;
  return {
    ...printing(world, Number.POSITIVE_INFINITY, print),
    environment: { ...environment, LESS: `${environment["LESS"] ?? "R"} -+F -+X` },
    terminal,
    output,
  };
}

function captured(columns: number, print: (text: string) => void): World["output"] {
  const write = (content: string | Uint8Array) =>
    print(typeof content === "string" ? content : Buffer.from(content).toString());
  return { columns, writableLength: 0, write };
}

/** Directories that hold nothing that a person names in a prompt. */
const SKIPPED = new Set([".git", "node_modules", ".venv", "__pycache__", "target", "dist"]);
const MOST_FILES = 20_000;

async function filesIn(root: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (directory: string): Promise<void> => {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MOST_FILES || SKIPPED.has(entry.name)) continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) await walk(path);
      else found.push(relative(root, path));
    }
  };
  await walk(root);
  return found;
}

/** How long a shell command has to end when it is asked to. */
const GRACE_MS = 1000;

interface ShellCommand {
  readonly command: string;
  print(text: string): void;
  readonly signal: AbortSignal;
}

/** In a session of its own, so that all that it starts ends with it. */
function shell({ environment }: World, root: string, { command, print, signal }: ShellCommand): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(environment["SHELL"] || "/bin/sh", ["-c", command], {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    signal.addEventListener("abort", () => void (child.pid !== undefined && endProcesses(child.pid, GRACE_MS)));
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", print);
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
