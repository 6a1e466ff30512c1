import type { Command } from "./command.ts";

/** Every command, loaded when it is called, in the order in which help lists them. */
export const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  undo: () => import("./commands/undo.ts"),
  redo: () => import("./commands/redo.ts"),
  revert: () => import("./commands/revert.ts"),
  history: () => import("./commands/history.ts"),
  show: () => import("./commands/show.ts"),
  jump: () => import("./commands/jump.ts"),
  threads: () => import("./commands/threads.ts"),
  takes: () => import("./commands/takes.ts"),
  branch: () => import("./commands/branch.ts"),
  switch: () => import("./commands/switch.ts"),
  promote: () => import("./commands/promote.ts"),
  rename: () => import("./commands/rename.ts"),
  delete: () => import("./commands/delete.ts"),
  entries: () => import("./commands/entries.ts"),
  edit: () => import("./commands/edit.ts"),
  insert: () => import("./commands/insert.ts"),
  remove: () => import("./commands/remove.ts"),
  role: () => import("./commands/role.ts"),
  settings: () => import("./commands/settings.ts"),
  roles: () => import("./commands/roles.ts"),
  context: () => import("./commands/context.ts"),
  truncate: () => import("./commands/truncate.ts"),
  clear: () => import("./commands/clear.ts"),
  reset: () => import("./commands/reset.ts"),
};
