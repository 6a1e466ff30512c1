import { existsSync, fstatSync } from "node:fs";
import { visible } from "@retake/tui/text";
import { CommandError, EXIT } from "./command.ts";
import { markTerminal } from "./mark-terminal.ts";
import { openStandardOutput } from "./standard-output.ts";
import type { OutputStream, ScreenTerminal, Signal, Terminal, World } from "./world.ts";

/** The process itself. Its streams are opened when they are first used: loading them takes a while. */
export class ProcessWorld implements World {
  readonly environment = process.env;
  readonly now = Date.now;
  exitCode: number | undefined;
  #output: OutputStream | undefined;

  get directory() {
    // Node has no text for a path that is not UTF-8; the directory can be reached all the same.
    const directory = currentDirectory();
    return directory.includes("\ufffd") && !existsSync(directory) ? "/proc/self/cwd" : directory;
  }

  get input() {
    return process.stdin;
  }

  get isPiped() {
    try {
      const input = fstatSync(0);
      return input.isFIFO() || input.isFile();
    } catch {
      return false;
    }
  }

  get output(): OutputStream {
    this.#output ??= openStandardOutput(({ message }) => {
      this.exitCode = EXIT.failed;
      process.exitCode = EXIT.failed;
      const done = "The command is carried out all the same.";
      process.stderr.write(visible(`The output cannot be written: ${message}. ${done}\n`));
    });
    return this.#output;
  }

  get errors() {
    return process.stderr;
  }

  get terminal(): Terminal | undefined {
    const { stdin: input, stdout: output } = process;
    return input.isTTY ? { input, output, interrupt: () => process.kill(process.pid, "SIGINT") } : undefined;
  }

  /** Undefined where there is no screen to draw on: a pipe, or a terminal that cannot place the cursor. */
  get screen(): ScreenTerminal | undefined {
    const { stdin: input, stdout: output } = process;
    if (!input.isTTY || !output.isTTY || (this.environment["TERM"] ?? "dumb") === "dumb") return undefined;
    return { input, output, suspend, guard, mark: (directory) => markTerminal(directory, process.pid, beginAnew) };
  }

  onSignal(signal: Signal, listener: () => void): () => void {
    process.on(signal, listener);
    return () => process.removeListener(signal, listener);
  }

  exit(code: number): void {
    process.exit(code);
  }

  /**
   * Ends the process once all it printed is written. Where nothing is left to write it ends at once: Node's own way takes
   * its heap apart first, one part in twenty of a short command's time.
   */
  end(code: number): void {
    process.exitCode = this.exitCode ?? code;
    const pending = this.#output?.writableLength ?? 0;
    // On Windows, output to the standard error may still be on its way, too.
    if (pending === 0 && process.platform !== "win32") process.exit();
  }
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    const message =
      "The current directory was deleted or moved. Nothing was changed. Go to another one: cd <directory>";
    throw new CommandError(EXIT.failed, "no-directory", message);
  }
}

/** Does not return where the system can replace a process. */
function beginAnew(): void {
  const { execPath, execArgv, argv, env } = process;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], env);
}

/** While the process is stopped no time passes for it. */
const STOPPED_WITHIN_MS = 200;

/** Answers whether it was stopped: where no shell waits for the program, the system does not stop it. */
function suspend(): Promise<boolean> {
  return new Promise((resolve) => {
    const goOn = () => end(true);
    const timer = setTimeout(() => end(false), STOPPED_WITHIN_MS);
    const end = (wasStopped: boolean) => {
      process.off("SIGCONT", goOn);
      clearTimeout(timer);
      resolve(wasStopped);
    };
    process.once("SIGCONT", goOn);
    // The whole group: a shell waits for the program that it started, which may be npm.
    process.kill(0, "SIGTSTP");
  });
}

function guard(leave: () => void): () => void {
  const onError = (error: unknown) => {
    leave();
    process.stderr.write(visible(`${error instanceof Error ? error.stack : String(error)}\n`));
    process.exit(1);
  };
  // A terminal that is gone cannot be written to, and needs nothing.
  const onGone = () => {};
  process.on("exit", leave);
  process.on("uncaughtException", onError);
  process.stdout.on("error", onGone);
  return () => {
    process.off("exit", leave);
    process.off("uncaughtException", onError);
    process.stdout.off("error", onGone);
  };
}
