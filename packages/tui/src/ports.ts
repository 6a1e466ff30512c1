/** All that the screen needs of the world besides the client: given by the program that opens it. */
import type { Client } from "@retake/client";
import type { CtrlZ } from "./text/undo-words.ts";

export interface ScreenPorts {
  /** Opens the store or finds the server. The first frame does not wait for it. */
  open(): Promise<Opened>;
  /** Where the screen was opened; the workspace may lie above it. */
  readonly directory: string;
  readonly mouse: boolean;
  readonly ctrlZ: CtrlZ;
  readonly prompts: readonly string[];
  now(): number;
  /** Keeps a prompt for the next time. */
  remember(prompt: string, stored: boolean): void;
  /** Possible ends of a line that begins with a slash, for the thread on the screen, and where in the line they begin. */
  complete(
    line: string,
    thread: string | undefined,
  ): Promise<{ readonly from: number; readonly choices: readonly Choice[] }>;
  /** Files of the workspace, for a prompt before the first thread: later the server knows them. */
  files(): Promise<readonly string[]>;
  /** Runs a command of the command line. One that has the terminal to itself prints only its problems with `print`. */
  runCommand(
    args: readonly string[],
    options: {
      readonly terminal: boolean;
      readonly columns: number;
      /** The thread that is on the screen. */
      readonly thread: string | undefined;
      print(text: string): void;
    },
  ): Promise<number>;
  /** The text as the user's editor left it; a newline at its end stays only where the text had one. */
  edit(text: string): string;
  /** A shell command of the user, with all that it started; `signal` ends it. */
  shell(command: string, print: (text: string) => void, signal: AbortSignal): Promise<number>;
  /** Calls back when the process is told to end; returns an unsubscribe function. */
  onEnd(end: () => void): () => void;
  /** Stops the process until it is continued. Answers whether that was possible. */
  suspend(): Promise<boolean>;
}

export interface Opened {
  readonly client: Client;
  /** The thread to begin with; undefined where there is none yet. */
  readonly thread: string | undefined;
  /** The workspace's directory. */
  readonly root: string;
}

export interface Choice {
  readonly word: string;
  readonly about?: string;
}
