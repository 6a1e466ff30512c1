/** The terminal UI, wired to the client of this machine and to the commands. */
import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { directories, freeTitle, titleFrom } from "@retake/runtime";
import { runScreen, type ScreenPorts } from "@retake/tui";
import manifest from "../package.json" with { type: "json" };
import { completions } from "./ask-line.ts";
import type { Call } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { editText } from "./edit-text.ts";
import { findClient } from "./find-client.ts";
import { openCall } from "./open-call.ts";
import { Output } from "./output.ts";
import { PromptHistory } from "./prompt-history.ts";
import { runCommand } from "./run-command.ts";
import type { ScreenTerminal, World } from "./world.ts";

export async function openScreen(world: World, terminal: ScreenTerminal): Promise<void> {
  const { environment } = world;
  const close: (() => Promise<void>)[] = [];
  const output = new Output(false, world, "prompt");
  const call = openCall({ options: {}, args: [], output, world, commands: COMMANDS }, manifest.version, close);
  const history = new PromptHistory(join(directories(environment).state, "prompts.jsonl"));
  const ports: ScreenPorts = {
    directory: world.directory,
    terminal,
    colour: environment["NO_COLOR"] === undefined,
    mouse: environment["RETAKE_MOUSE"] !== "0",
    prompts: history.lines,
    now: world.now,
    open: () => open(call),
    remember: (prompt, stored) => history.add(prompt, { stored }),
    titleFor: (prompt) => freeTitle(call.workspace, titleFrom(prompt)),
    complete: async (line) => {
      const [found, replaced] = await completions(world, line);
      return {
        from: line.length - replaced.length,
        choices: found.map(({ word, about }) => (about === undefined ? { word } : { word, about })),
      };
    },
    files: () => filesIn(call.workspace.root),
    runCommand: (args, { terminal: own, columns, print }) =>
      runCommand([...args], own ? world : printing(world, columns, print), "prompt"),
    edit: (text) => editText(world, text).toString(),
    shell: (command, print) => shell(world, call.workspace.root, command, print),
    onEnd: (end) => {
      const leave = (["SIGTERM", "SIGHUP", "SIGINT"] as const).map((signal) =>
        world.onSignal(signal, () => {
          world.exitCode = SIGNALS[signal];
          end();
        }),
      );
      return () => {
        for (const each of leave) each();
      };
    },
    suspend: () => terminal.suspend(),
  };
  try {
    for (const line of await runScreen(ports)) output.line(line);
  } finally {
    for (const each of close) await each();
  }
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

async function open(
  call: Call,
): Promise<{ client: Awaited<ReturnType<typeof findClient>>["client"]; thread: string | undefined; root: string }> {
  const { workspace } = call;
  await workspace.finishKilled();
  const { client } = await findClient(call);
  return { client, thread: workspace.currentThread()?.id, root: workspace.root };
}

/** A world that captures its output, and in which no question can be asked. */
function printing(world: World, columns: number, print: (text: string) => void): World {
  const write = (content: string | Uint8Array) =>
    print(typeof content === "string" ? content : Buffer.from(content).toString());
  const output = { columns, writableLength: 0, write };
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

function shell({ environment }: World, root: string, command: string, print: (text: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(environment["SHELL"] || "/bin/sh", ["-c", command], {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", print);
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
