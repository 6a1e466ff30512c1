import { accessSync, constants, statfsSync } from "node:fs";
import type { BytePath } from "../model/model.ts";
import { diskPath, parentOf, showPath } from "../model/path-bytes.ts";
import type { Directories } from "./directories.ts";
import type { Action } from "./plan-restore.ts";
import { RestoreError } from "./restore-error.ts";

/** Finds every predictable failure while nothing has changed yet. */
export function preflight(directories: Directories, actions: readonly Action[]): void {
  const writable = new Set<BytePath>();
  let bytes = 0;
  for (const { path, after } of actions) {
    directories.trim();
    requireWritable(directories, parentOf(path), writable);
    if (after?.kind === "file") bytes += after.size;
  }
  if (actions.length > 0) requireSpace(directories, bytes);
}

function requireWritable(directories: Directories, path: BytePath, known: Set<BytePath>): void {
  if (known.has(path)) return;
  let directory = path;
  let found = directories.find(directory);
  // Missing, or a file that will be moved away: the check applies to the next existing parent.
  while (found.kind !== "directory" && directory !== "") {
    directory = parentOf(directory);
    found = directories.find(directory);
  }
  if (known.has(directory) || found.kind !== "directory") return;
  known.add(directory);
  try {
    accessSync(found.directory.place("."), constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new RestoreError(
      "no-permission",
      `The directory '${showPath(directory) || "."}' cannot be written to. No file was changed. ` +
        "Give yourself the permission and try again.",
      { cause, path: directory },
    );
  }
}

function requireSpace(directories: Directories, bytes: number): void {
  const { bavail, bsize } = statfsSync(diskPath(directories.root, ""));
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new RestoreError(
    "no-space",
    `The restore needs ${bytes} bytes and the disk has ${free} left. No file was changed. Free some space and try again.`,
  );
}
