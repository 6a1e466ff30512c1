import { Readable } from "node:stream";
import { runCommand } from "../run-command.ts";
import type { OutputStream, Signal, World } from "../world.ts";

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Given {
  readonly environment?: World["environment"];
  readonly directory: string;
  readonly input?: string | Uint8Array;
  /** The width of a terminal; without one, the output is a pipe. */
  readonly columns?: number | undefined;
  readonly now?: () => number;
}

/** A process that is not one: its streams are texts, and its signals are sent by the test. */
export class TestWorld implements World {
  readonly environment: World["environment"];
  readonly directory: string;
  readonly input: Readable;
  readonly isPiped = true;
  readonly terminal = undefined;
  readonly now: () => number;
  readonly #said = { output: "", errors: "" };
  readonly #listeners = new Map<Signal, Set<() => void>>();
  readonly #columns: number | undefined;
  exitCode: number | undefined;
  /** The argument of `exit`. */
  exited: number | undefined;

  constructor({ environment = {}, directory, input = "", columns, now = Date.now }: Given) {
    this.environment = environment;
    this.directory = directory;
    this.input = Readable.from([Buffer.from(input)]);
    this.#columns = columns;
    this.now = now;
  }

  /** Runs one command; others can run at the same time, each in a world of its own. */
  async run(...args: string[]): Promise<Ran> {
    const status = await runCommand(args, this);
    return { status, stdout: this.stdout, stderr: this.stderr };
  }

  get stdout(): string {
    return this.#said.output;
  }

  get stderr(): string {
    return this.#said.errors;
  }

  get output(): OutputStream {
    const isTTY = this.#columns !== undefined;
    return { isTTY, columns: this.#columns, writableLength: 0, write: (content) => this.#say("output", content) };
  }

  get errors(): Pick<OutputStream, "write"> {
    return { write: (content) => this.#say("errors", content) };
  }

  onSignal(signal: Signal, listener: () => void): () => void {
    const listeners = this.#listeners.get(signal) ?? new Set();
    this.#listeners.set(signal, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  send(signal: Signal): void {
    for (const listener of [...(this.#listeners.get(signal) ?? [])]) listener();
  }

  exit(code: number): void {
    this.exited ??= code;
  }

  #say(where: "output" | "errors", content: string | Uint8Array): void {
    this.#said[where] += typeof content === "string" ? content : Buffer.from(content).toString("utf8");
  }
}
