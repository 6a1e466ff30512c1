import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activeTake, entries } from "@retake/core";
import {
  directories,
  type Model,
  type ModelEnd,
  openStoreAndWorkspace,
  type Tool,
  type Workspace,
} from "@retake/runtime";
import { MAIN } from "../../../../testing/main.ts";
import { type Ran, TestWorld } from "./test-world.ts";

export type { Ran };

/** A store and a workspace of their own, turns made in them, and the real command line run on them. */
export class CliSession {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-cli-")));
  readonly root: string;
  readonly home = join(this.#folder, "home");

  constructor(name = "work") {
    this.root = join(this.#folder, name);
    mkdirSync(this.root);
    writeFileSync(join(this.root, "kept.txt"), "kept\n");
  }

  /** A thread with a turn for each prompt, which is a shell command; answers its id. */
  thread(title: string, ...prompts: string[]): Promise<string> {
    return this.#newThread(title, false, prompts);
  }

  privateThread(title: string, ...prompts: string[]): Promise<string> {
    return this.#newThread(title, true, prompts);
  }

  async #newThread(title: string, kept: boolean, prompts: readonly string[]): Promise<string> {
    const workspace = this.open();
    try {
      const thread = await workspace.newThread(title, { private: kept });
      for (const prompt of prompts) {
        const result = await workspace.run({
          thread,
          prompt,
          model,
          tools: [bash],
          mode: "all" as const,
          approve: async () => "deny",
          onEvent: () => {},
          signal: new AbortController().signal,
        });
        if (!("status" in result) || result.status !== "finished") throw new Error(JSON.stringify(result));
      }
      return thread;
    } finally {
      await workspace.close();
    }
  }

  /** A command in this process, which is quicker. Everything is opened anew all the same. */
  call(...args: string[]): Promise<Ran> {
    return this.world().run(...args);
  }

  /** The process-like surroundings of a command that runs in this process. */
  world({ env, cwd = this.root, ...given }: { input?: string; env?: Record<string, string>; cwd?: string } = {}) {
    return new TestWorld({ environment: this.#environment(env), directory: cwd, ...given });
  }

  /** A command in a process of its own, for tests in which the process is the point. */
  run(...args: string[]): Ran {
    return this.#spawnSync([MAIN, ...args], {});
  }

  /** A command whose process is killed, or fails, at the n-th call of a function of `node:fs`. */
  runBroken(at: { call: string; nth: number; error?: string }, ...args: string[]): Ran {
    const { call, nth, error = "KILL" } = at;
    return this.#spawnSync(["--import", BREAK, MAIN, ...args], { RETAKE_TEST_BREAK: `${call} ${nth} ${error}` });
  }

  #spawnSync(args: readonly string[], env: Record<string, string>): Ran {
    const options = { cwd: this.root, encoding: "utf8", input: "", env: this.#environment(env) } as const;
    return spawnSync(process.execPath, args, options);
  }

  /** Starts a command that keeps running; the caller ends its process. */
  spawn(...args: string[]): ChildProcess {
    return this.spawnWith({}, ...args);
  }

  spawnWith({ env = {}, ...options }: SpawnOptions & { env?: Record<string, string> }, ...args: string[]) {
    const given = { stdio: ["ignore", "pipe", "inherit"] as const, ...options, env: this.#environment(env) };
    return spawn(process.execPath, [MAIN, ...args], { cwd: this.root, ...given } as SpawnOptions);
  }

  /** All processes of a test share one environment, so that they share a server's turns. */
  #environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    const { VISUAL: _, EDITOR: __, RETAKE_MODEL: ___, ...inherited } = process.env;
    return { ...inherited, RETAKE_HOME: this.home, ...more };
  }

  /** The output of a command that succeeds, for people. */
  async text(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.call(...args);
    if (status !== 0) throw new Error(`retake ${args.join(" ")} ended with ${status}: ${stderr}`);
    return stdout;
  }

  /** The `--json` answer of a command, whether it succeeds or not. */
  async json(...args: string[]): Promise<Answer> {
    return JSON.parse((await this.call(...args, "--json")).stdout) as Answer;
  }

  read(path: string): string | undefined {
    const file = join(this.root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  write(path: string, content: string): void {
    writeFileSync(join(this.root, path), content);
  }

  /** The contents of the entries, read without starting a process. */
  async contents(thread: string): Promise<string[]> {
    const workspace = this.open();
    try {
      return workspace.store.read(thread, ({ state }) =>
        [...entries(state, activeTake(state))].map(({ content }) => content),
      );
    } finally {
      await workspace.close();
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  open(): Workspace {
    return openStoreAndWorkspace({
      directories: directories({ RETAKE_HOME: this.home }),
      root: this.root,
      version: "0",
    });
  }
}

/** The answer of a command: lists under their names, and other fields that the tests compare. */
export interface Answer {
  readonly operations: readonly Item[];
  readonly entries: readonly Item[];
  readonly takes: readonly Item[];
  readonly threads: readonly Item[];
  readonly changes: readonly Item[];
  readonly [name: string]: unknown;
}

type Item = Readonly<Record<string, string>>;

const BREAK = new URL("./break-call.ts", import.meta.url).href;

/** A model that asks for the shell command that the prompt is, and then says that it is done. */
const model: Model = {
  name: "test/model",
  async *stream({ messages, step, turn }) {
    const prompt = messages.findLast(({ role, parts }) => role === "user" && parts.some(({ type }) => type === "text"));
    const command = prompt?.parts.findLast((part) => part.type === "text")?.text ?? "";
    const usage = { input_tokens: 1 };
    if (step > 1) yield { kind: "text", text: "Done." };
    const end: ModelEnd =
      step > 1
        ? { kind: "responded", stop: "end", calls: [], usage }
        : {
            kind: "responded",
            stop: "tool-calls",
            calls: [{ id: `call-${turn}`, name: "bash", input: { command } }],
            usage,
          };
    yield end;
  },
};

const bash: Tool = {
  name: "bash",
  description: "",
  input: {},
  check: () => undefined,
  examine: async ({ command }) => ({ writes: true, paths: [], command: String(command), irreversible: [] }),
  run: async ({ command }, { root }) => {
    execFileSync("/bin/sh", ["-c", String(command)], { cwd: root });
    return { outcome: "completed", content: "ok" };
  },
};
