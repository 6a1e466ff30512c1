import type { Command } from "./command.ts";

/** Every command, loaded when it is called. */
export const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  run: () => import("./commands/run.ts"),
  undo: () => import("./commands/undo.ts"),
};
