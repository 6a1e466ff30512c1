import { readdirSync, rmdirSync } from "node:fs";
import type { BytePath } from "../model/model.ts";
import type { Deletions } from "./deletions.ts";
import type { Directories } from "./directories.ts";
import { errorCode } from "./restore-error.ts";

/** Removes a stage and the files in it, but no subdirectory: a restore makes none. */
export async function removeStage(directories: Directories, path: BytePath, deletions: Deletions): Promise<void> {
  const found = directories.find(path);
  if (found.kind !== "directory") return;
  for (const name of readdirSync(found.directory.place("."))) {
    deletions.delete(found.directory.place(name));
    await deletions.room();
  }
  const place = directories.place(path);
  directories.forget(path);
  if (place === undefined) return;
  try {
    rmdirSync(place);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    if (errorCode(error) !== "ENOTEMPTY") throw error;
    // NFS keeps another name for an open file.
    await deletions.drained();
    rmdirSync(place);
  }
}
