import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestWorld } from "../../packages/cli/src/testing/test-world.ts";
import { MAIN } from "../../testing/main.ts";

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The last JSON value that was printed. */
  readonly answer: Answer;
}

// biome-ignore lint/suspicious/noExplicitAny: what commands answer is what the tests look at
export type Answer = Record<string, any>;

/** A home of Retake's and a workspace, both new, and the command line in them. */
export class RetakePlace {
  readonly folder: string;
  readonly root: string;
  readonly home: string;

  /** `name`: of the workspace. Bytes that are not UTF-8 are reached through a link, as Node has no text for them. */
  constructor(folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-e2e-"))), name: string | Buffer = "work") {
    this.folder = folder;
    this.root = join(folder, typeof name === "string" ? name : "work");
    this.home = join(folder, "home");
    if (typeof name === "string") mkdirSync(this.root, { recursive: true });
    else {
      mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), name]));
      symlinkSync(name, this.root);
    }
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
  spawnBeside(
    args: readonly string[],
    { root = this.root, onStart = () => {} }: { root?: string; onStart?: (child: ChildProcess) => void } = {},
  ): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [MAIN, ...args, "--json"], { cwd: root, env: this.environment });
      child.stdin.end();
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
      });
      child.stderr.on("data", (chunk) => {
        stderr += chunk;
      });
      child.on("error", reject);
      // The output of a killed process is no answer.
      child.on("close", (status) =>
        resolve({ status, stdout, stderr, answer: status === null ? {} : lastValue(stdout) }),
      );
      onStart(child);
    });
  }

  /** The same command in this process, which is quicker. Everything is opened anew all the same. */
  async call(args: readonly string[], root = this.root): Promise<Ran> {
    const world = new TestWorld({ environment: this.environment, directory: root });
    const ran = await world.run(...args, "--json", "--workspace", root);
    return { ...ran, answer: lastValue(ran.stdout) };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function lastValue(stdout: string): Answer {
  const line = stdout.trimEnd().split("\n").at(-1) ?? "";
  return line === "" ? {} : (JSON.parse(line) as Answer);
}
