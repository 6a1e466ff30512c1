import type { Command } from "./command.ts";

/** Every command, loaded when it is called. */
export const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  undo: () => import("./commands/undo.ts"),
};
