import type { Command, Option, Options } from "./command.ts";

/** Options that every command takes. */
export const GLOBAL_OPTIONS = {
  thread: {
    type: "string",
    value: "id|name",
    names: "thread",
    about: "the thread to act on; by default the current one of the workspace",
  },
  workspace: {
    type: "string",
    value: "directory",
    about: "the directory to work in; by default the workspace around this one",
  },
  json: { type: "boolean", about: "one JSON value instead of words, or JSON lines while something streams" },
  help: { type: "boolean", short: "h", about: "show the help of a command" },
} as const satisfies Options;

/** `retake undo [N] [--step] …`: made of the same declaration as the help, the completion and the errors. */
export function usageOf({ name, usage, options = {} }: Pick<Command, "name" | "usage" | "options">): string {
  const shown = Object.entries(options).filter(([, { hidden }]) => !hidden);
  const taken = shown.map(([each, option]) => `[${optionUsage(each, option)}]${option.multiple ? "…" : ""}`);
  return ["retake", name, ...(usage === "" ? [] : [usage]), ...taken].join(" ");
}

/** `--scope both|conversation|files`. */
export function optionUsage(name: string, { type, value, choices }: Option): string {
  return type === "boolean" ? `--${name}` : `--${name} ${choices ? choices.join("|") : `<${value ?? "value"}>`}`;
}
