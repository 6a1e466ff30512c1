import { constants, openSync } from "node:fs";
import type { BytePath } from "../model/model.ts";
import type { Directories } from "./directories.ts";
import { FlushQueue } from "./flush-queue.ts";
import { errorCode } from "./restore-error.ts";
import type { StagedAction } from "./restore-journal.ts";

/**
 * Makes restored files survive a power loss by themselves. Until then the journal and the objects, which the commit
 * flushed, protect them: recovery writes missing files again from there.
 */
export async function flushRestored(
  directories: Directories,
  actions: readonly StagedAction[],
  changedDirectories: Iterable<BytePath>,
): Promise<void> {
  const flushes = new FlushQueue();
  try {
    for (const { path, after } of actions) {
      if (after?.kind !== "file") continue;
      directories.trim();
      const place = directories.place(path);
      if (place !== undefined) open(flushes, place, constants.O_NONBLOCK);
      await flushes.room();
    }
    // Windows flushes directories with their entries and refuses to open them.
    if (process.platform === "win32") return;
    for (const path of changedDirectories) {
      directories.trim();
      const found = directories.find(path);
      if (found.kind === "directory") open(flushes, found.directory.place("."), constants.O_DIRECTORY);
      await flushes.room();
    }
  } finally {
    await flushes.drained();
  }
}

function open(flushes: FlushQueue, place: string | Buffer, flags: number): void {
  try {
    flushes.add(openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | flags));
  } catch (error) {
    // Somebody has replaced it, or it is not readable; in that case it was flushed when it was staged.
    if (!["ENOENT", "ENOTDIR", "ELOOP", "EACCES"].includes(errorCode(error) ?? "")) throw error;
  }
}
