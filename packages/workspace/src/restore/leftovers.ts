import { mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { bytePath } from "../model/path-bytes.ts";
import type { Deletions } from "./deletions.ts";
import { Directories } from "./directories.ts";
import { removeStage } from "./remove-stage.ts";
import { errorCode } from "./restore-error.ts";

/** Its name in a store. */
export const LEFTOVERS = "leftovers";

/**
 * A directory of a store for the stages of finished restores. Deleting the files of a stage takes longer than putting
 * them in place, so a stage leaves the workspace by one rename, and its files are deleted later. After a kill the next
 * recovery deletes them.
 */
export class Leftovers {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Takes over a stage; false when that needs more than a rename, as from another file system. */
  take(stage: string | Buffer, name: string): boolean {
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      renameSync(stage, join(this.#directory, name));
      return true;
    } catch {
      return false;
    }
  }

  /** Deletes all stages here, also those of other processes: no process needs them any more. */
  async clear(deletions: Deletions): Promise<void> {
    let directories: Directories | undefined;
    try {
      const names = readdirSync(this.#directory);
      directories = new Directories(bytePath(this.#directory));
      for (const name of names) await removeStage(directories, name, deletions);
      rmdirSync(this.#directory);
    } catch (error) {
      // Already gone, in use by another process, or not deletable now. They only take space, and the next recovery
      // tries again.
      if (errorCode(error) === undefined) throw error;
    } finally {
      directories?.close();
    }
  }
}
