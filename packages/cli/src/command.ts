import type { Refusal } from "@retake/core";
import type { Runtime, Workspace } from "@retake/runtime";
import type { Output } from "./output.ts";
import type { World } from "./world.ts";

/** One thing that `retake` can do. Each is a file of its own in `commands/`. */
export interface Command {
  readonly name: string;
  readonly group: keyof typeof GROUPS;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Its arguments: `<take> <name>`. Options come from their own declaration. */
  readonly usage: string;
  /** More paragraphs of its help. */
  readonly details?: readonly string[];
  /** How many arguments it takes at most; any number unless given. */
  readonly most?: number;
  /** The kinds of names that its arguments take, in order, for completion. */
  readonly places?: readonly Named[];
  readonly options?: Options;
  /** Lines that work as they are, each with what it does. A test runs all of them. */
  readonly examples: readonly (readonly [line: string, about: string])[];
  /** The command is not about threads of the workspace, so it does not finish interrupted work there. */
  readonly apart?: true;
  run(call: Call): Promise<void>;
}

/** The parts of the list of commands, in its order. */
export const GROUPS = {
  turns: "Turns",
  history: "History",
  takes: "Takes",
  conversation: "Conversation",
  files: "Files",
  threads: "Threads",
  setup: "Setup",
} as const;

/** An option: parsing, usage, help, completion and errors are made of this. */
export interface Option {
  readonly type: "boolean" | "string";
  readonly short?: string;
  readonly multiple?: true;
  /** The name of its value: `N`, `provider/model`. */
  readonly value?: string;
  /** The values that it takes; any unless given. */
  readonly choices?: readonly string[];
  /** The kind of names that its values are, for completion. */
  readonly names?: Named;
  readonly about: string;
  /** Made for programs: in no help. */
  readonly hidden?: true;
}

export type Options = Readonly<Record<string, Option>>;

/** Kinds of things that completion knows the names of. */
export type Named =
  | "thread"
  | "take"
  | "thread-or-take"
  | "entry"
  | "point"
  | "role"
  | "model"
  | "setting"
  | "config-key"
  | "add-or-remove"
  | "shell";

/** Every command by its name, loaded when it is called. */
export type Commands = Readonly<Record<string, () => Promise<{ command: Command }>>>;

/** One call of a command. */
export interface Call {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly output: Output;
  readonly world: World;
  /** All there are, for those that are about commands. */
  readonly commands: Commands;
  /** The store and the workspaces, opened when a command first needs them. */
  readonly runtime: Runtime;
  /** The directory of the command, or of the thread that `--thread` names. */
  readonly workspace: Workspace;
  /** The thread that is meant: the one named by `--thread`, or the workspace's most recent. */
  readonly thread: string;
}

export const EXIT = { done: 0, failed: 1, usage: 2, conflicts: 3, notFound: 4, denied: 5 } as const;

/** Ends a command with an exit code and a message for the user; nothing was changed. */
export class CommandError extends Error {
  readonly exit: number;
  readonly code: string;
  readonly details: object | undefined;

  constructor(exit: number, code: string, message: string, details?: object) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.details = details;
  }
}

/** Ends a command that has said all there is to say with an exit code. */
export class EndedWith extends Error {
  readonly exit: number;

  constructor(exit: number) {
    super(`ended with ${exit}`);
    this.exit = exit;
  }
}

export function wrongUsage(message: string): CommandError {
  return new CommandError(EXIT.usage, "usage", message);
}

export function notFound(message: string): CommandError {
  return new CommandError(EXIT.notFound, "not-found", message);
}

/** The error that a refusal of the core is on the command line. */
export function refused({ code, message, details }: Refusal): CommandError {
  const exit =
    code === "not-found" || code === "ambiguous"
      ? EXIT.notFound
      : code === "conflict"
        ? EXIT.conflicts
        : code === "invalid-input"
          ? EXIT.usage
          : EXIT.failed;
  return new CommandError(exit, code, message, details);
}

/** The text that an option was given; undefined without it. */
export function textOption({ options }: Pick<Call, "options">, name: string): string | undefined {
  return textOptions({ options }, name)[0];
}

/** The texts of an option that may be given several times. */
export function textOptions({ options }: Pick<Call, "options">, name: string): string[] {
  return [options[name] ?? []].flat().map(String);
}

/** The thread that was named with `--thread`. */
export function namedThread(call: Call): string | undefined {
  return call.options["thread"] === undefined ? undefined : call.thread;
}

/** A whole number from 1, or the default where none was given. */
export function countFrom(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw wrongUsage(`'${text}' is not a number from 1.`);
  return Number(text);
}
