import { isAbsolute, resolve } from "node:path";
import type { Readable } from "node:stream";

/**
 * The parts of its process that a command uses. `main.ts` makes one of the real process (`process-world.ts`), tests
 * make others; any number of commands can run at the same time in one process, each with its own.
 */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The current directory. Reading it throws where the directory was removed. */
  readonly directory: string;
  readonly input: Readable;
  /** The input is a pipe or a file that a shell connected, not the open socket of a program that started this one. */
  readonly isPiped: boolean;
  readonly output: OutputStream;
  readonly errors: Pick<OutputStream, "write" | "columns">;
  /** Undefined where nobody can be asked: the standard input is not a terminal. */
  readonly terminal: Terminal | undefined;
  /** The thread on the screen where the command was typed: commands there are about it, unless they name another one. */
  readonly shownThread?: string | undefined;
  /** Set by a signal that ends the process; it goes before the exit code of the command. */
  exitCode?: number | undefined;
  now(): number;
  /** Calls `listener` on that signal; returns an unsubscribe function. */
  onSignal(signal: Signal, listener: () => void): () => void;
  exit(code: number): void;
}

export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Where a command prints, text and bytes. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  /** How wide a terminal is. */
  readonly columns?: number | undefined;
  /** How much is still to be written. */
  readonly writableLength: number;
  write(content: string | Uint8Array): unknown;
}

/** A terminal that lines are read from, with `node:readline`. */
export interface Terminal {
  readonly input: Readable & { setRawMode?(on: boolean): unknown };
  readonly output: NodeJS.WritableStream;
  /** As Ctrl+C does where no line is read: while one is, the terminal makes no signal of the key. */
  interrupt(): void;
}

/** A terminal that a full screen is drawn on. */
export interface ScreenTerminal {
  readonly input: Terminal["input"];
  readonly output: {
    readonly columns?: number | undefined;
    readonly rows?: number | undefined;
    write(text: string): unknown;
    on(event: "resize", listener: () => void): unknown;
    off(event: "resize", listener: () => void): unknown;
  };
  /** Stops the process, with those that it was started by, until it is continued. Answers whether that was possible. */
  suspend(): Promise<boolean>;
  /**
   * Remembers in a directory that this terminal shows a screen, after mending what a killed one left of it. Call the answer when
   * the terminal is given back.
   */
  mark(directory: string): () => void;
  /** Calls `leave` however the process ends, so that the terminal is usable again. Returns an unsubscribe function. */
  guard(leave: () => void): () => void;
}

/** The path that a user named, from the current directory. */
export function pathIn(world: Pick<World, "directory">, named: string): string {
  return isAbsolute(named) ? resolve(named) : resolve(world.directory, named);
}
