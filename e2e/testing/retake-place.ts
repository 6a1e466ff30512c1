import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../packages/cli/src/run-command.ts";
import { standardOutput } from "../../packages/cli/src/standard-output.ts";

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The last JSON value that was printed. */
  readonly answer: Answer;
}

// biome-ignore lint/suspicious/noExplicitAny: what commands answer is what the tests look at
export type Answer = Record<string, any>;

export const MAIN = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

/** A home of Retake's and a workspace, both new, and the command line in them. */
export class RetakePlace {
  static #last: Promise<unknown> = Promise.resolve();
  readonly folder: string;
  readonly root: string;
  readonly home: string;

  constructor(folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-e2e-")))) {
    this.folder = folder;
    this.root = join(folder, "work");
    this.home = join(folder, "home");
    mkdirSync(this.root, { recursive: true });
  }

  get environment(): NodeJS.ProcessEnv {
    const { VISUAL: _, EDITOR: __, RETAKE_MODEL: ___, RETAKE_SCRIPT: ____, ...inherited } = process.env;
    return { ...inherited, RETAKE_HOME: this.home };
  }

  /** A command in a process of its own. */
  spawn(args: readonly string[]): Ran {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args, "--json"], {
      cwd: this.root,
      encoding: "utf8",
      env: this.environment,
      input: "",
    });
    return { status, stdout, stderr, answer: lastValue(stdout) };
  }

  /** The same without waiting for it here: others go on meanwhile. */
  spawnBeside(args: readonly string[]): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [MAIN, ...args, "--json"], { cwd: this.root, env: this.environment });
      child.stdin.end();
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
      });
      child.stderr.on("data", (chunk) => {
        stderr += chunk;
      });
      child.on("error", reject);
      child.on("close", (status) => resolve({ status, stdout, stderr, answer: lastValue(stdout) }));
    });
  }

  /** The same command in this process, which is quicker. Everything is opened anew all the same. */
  call(args: readonly string[], root = this.root): Promise<Ran> {
    // One at a time: what is printed and where the store is are the process's.
    const ran = RetakePlace.#last.then(() => this.#callAlone(args, root));
    RetakePlace.#last = ran.catch(() => undefined);
    return ran;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #callAlone(args: readonly string[], root: string): Promise<Ran> {
    const stdout = standardOutput();
    const { stderr } = process;
    const before = { out: stdout.write, err: stderr.write, home: process.env["RETAKE_HOME"] };
    const said = { out: "", err: "" };
    process.env["RETAKE_HOME"] = this.home;
    stdout.write = keep((text) => {
      said.out += text;
    });
    stderr.write = keep((text) => {
      said.err += text;
    });
    try {
      const status = await runCommand([...args, "--json", "--workspace", root]);
      return { status, stdout: said.out, stderr: said.err, answer: lastValue(said.out) };
    } finally {
      stdout.write = before.out;
      stderr.write = before.err;
      if (before.home === undefined) delete process.env["RETAKE_HOME"];
      else process.env["RETAKE_HOME"] = before.home;
    }
  }
}

function keep(told: (text: string) => void): typeof process.stdout.write {
  return (chunk: string | Uint8Array) => {
    told(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
    return true;
  };
}

function lastValue(stdout: string): Answer {
  const line = stdout.trimEnd().split("\n").at(-1) ?? "";
  return line === "" ? {} : (JSON.parse(line) as Answer);
}
