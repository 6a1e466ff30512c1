import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const retake = join(repository, "node_modules", ".bin", "retake");

/** Builds the package from the sources as they are. */
export function buildRetake(): void {
  for (const script of ["build.mjs", "launcher.mjs"])
    execFileSync(process.execPath, [join(repository, "scripts", script)]);
}

/** `retake` as a user runs it, with a store and an empty workspace of its own. */
export class BuiltRetake {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-bench-")));
  readonly root = join(this.folder, "work");
  readonly home = join(this.folder, "home");
  readonly #environment = { ...process.env, RETAKE_HOME: this.home };

  constructor() {
    buildRetake();
    mkdirSync(this.root);
  }

  run(...args: string[]): string {
    return execFileSync(retake, args, { cwd: this.root, env: this.#environment, encoding: "utf8" });
  }

  /** A command that goes on by itself. */
  spawn(args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcessByStdio<null, Readable, null> {
    const env = { ...this.#environment, ...environment };
    return spawn(retake, args, { cwd: this.root, env, stdio: ["ignore", "pipe", "inherit"] });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
