import type { BytePath, FileState, ObjectReader } from "../model/model.ts";
import type { Directories } from "./directories.ts";
import { sameState } from "./file-state.ts";
import { readContent, readDisk } from "./read-disk.ts";
import type { JournalEntry } from "./restore-journal.ts";
import type { Stage } from "./stage.ts";

/**
 * Creates a stage again when its record of progress cannot be trusted: it is gone (`git clean` removes it), or the
 * power failed before it was flushed. A path still has to be restored if it looks as the plan saw it, is missing, or
 * looks like a torn copy of its target. Anything else was restored already, or is newer than the plan, and stays.
 */
export function restage(entry: JournalEntry, context: RestageContext): Restaged {
  const { directories, stage, objects, rebooted } = context;
  const lost = stage.create().map((made) => made || rebooted);
  const newer: BytePath[] = [];
  if (!lost.includes(true)) return { lost, newer };
  for (const [index, { path, before, after, home }] of entry.actions.entries()) {
    if (!lost[home] || !after || after.kind === "directory") continue;
    directories.trim();
    stage.discard(home, index);
    const { state } = readDisk(directories, path);
    if (sameState(state, after)) continue;
    const content = objects.read(after.hash, path);
    // The path is also empty when the crash came right after the old file was moved away.
    const missing = state === undefined || (rebooted && isTorn(directories, path, state, content));
    if (missing || sameState(state, before)) stage.write(home, index, after, content);
    else newer.push(path);
  }
  return { lost, newer };
}

export interface RestageContext {
  readonly directories: Directories;
  readonly stage: Stage;
  readonly objects: ObjectReader;
  /** Whether the machine was restarted since: see `bootId`. */
  readonly rebooted: boolean;
}

export interface Restaged {
  /** For each home, whether its record of progress is lost. */
  readonly lost: readonly boolean[];
  /** Paths with something newer than the plan. */
  readonly newer: readonly BytePath[];
}

/**
 * A file that was renamed into place but whose data did not reach the disk: cut short, or with zeros in place of data.
 */
function isTorn(directories: Directories, path: BytePath, state: FileState, whole: Buffer): boolean {
  if (state.kind !== "file" || state.size > whole.length) return false;
  const place = directories.place(path);
  const found = place === undefined ? undefined : readContent(place, state);
  return found?.every((byte, index) => byte === 0 || byte === whole[index]) ?? false;
}
