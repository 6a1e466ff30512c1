/**
 * Where a restore prepares its files: a directory inside the workspace, because a rename is atomic only within one file
 * system. A directory on another, mounted file system has its own stage.
 *
 *   n<i>   the new file of action i; renamed into place, so its absence means that this was done
 *   o<i>   the old file of action i, moved here instead of being deleted
 *
 * So the stage is also the record of progress. It is removed when the journal says that all files are in place.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { BytePath, FileState } from "../model/model.ts";
import { diskPath, parentOf } from "../model/path-bytes.ts";
import { STAGE_PREFIX } from "../model/path-rules.ts";
import { Deletions } from "./deletions.ts";
import type { Directories, OpenDirectory } from "./directories.ts";
import { LEFTOVERS, type Leftovers } from "./leftovers.ts";
import { removeStage } from "./remove-stage.ts";
import type { RestoreContext } from "./restore-context.ts";
import { errorCode } from "./restore-error.ts";

export class Stage {
  readonly #directories: Directories;
  readonly #id: string;
  readonly #name: string;
  readonly #homes: readonly BytePath[];
  readonly #deletions = new Deletions();
  /** Homes and modes for which a new file gets exactly the mode that it is created with. */
  readonly #exactModes = new Set<string>();
  #leftovers: Leftovers | undefined;

  /** `tag` identifies the store; see `stageTag`. */
  constructor(directories: Directories, tag: string, id: string, homes: readonly BytePath[]) {
    this.#directories = directories;
    this.#id = id;
    this.#name = `${STAGE_PREFIX}${tag}-${id}`;
    this.#homes = homes;
  }

  /** Creates missing stages; returns for each home whether it was created. */
  create(): boolean[] {
    return this.#homes.map((_, home) => {
      if (this.#directories.find(this.#path(home)).kind === "directory") return false;
      mkdirSync(this.#homePlace(home), { mode: 0o700 });
      return true;
    });
  }

  /** The path of the new or the old file of an action. */
  place(home: number, kind: "n" | "o", index: number): string | Buffer {
    return this.#open(home).place(`${kind}${index}`);
  }

  /** Writes the new file of an action. */
  write(home: number, index: number, state: FileState, content: Buffer): void {
    const place = this.place(home, "n", index);
    if (state.kind === "link") {
      symlinkSync(content, place);
      return;
    }
    const mode = state.mode & 0o777;
    const descriptor = openSync(place, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
    try {
      for (let done = 0; done < content.length; )
        done += writeSync(descriptor, content, done, content.length - done, null);
      this.#ensureMode(descriptor, home, mode);
      // Without read permission it could not be opened again for a later flush.
      if ((state.mode & 0o400) === 0) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the new file of an action, if it exists. */
  discard(home: number, index: number): void {
    try {
      unlinkSync(this.place(home, "n", index));
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }

  /** Resolves when nothing of it is in the workspace any more; its space may be freed later. */
  async remove(): Promise<void> {
    for (const [home] of this.#homes.entries()) await removeStage(this.#directories, this.#path(home), this.#deletions);
  }

  /** The same after all files are in place: by a rename for each home, if `leftovers` is on the same file system. */
  async moveTo(leftovers: Leftovers): Promise<void> {
    for (const [home] of this.#homes.entries()) {
      const path = this.#path(home);
      const moved = leftovers.take(this.#homePlace(home), `${this.#id}-${home}`);
      if (moved) this.#directories.forget(path);
      else await removeStage(this.#directories, path, this.#deletions);
    }
    this.#leftovers = leftovers;
  }

  /** Resolves when the space of everything removed is freed. */
  async freed(): Promise<void> {
    await this.#leftovers?.clear(this.#deletions);
    await this.#deletions.drained();
  }

  /**
   * The process's umask removes bits, and the file system may. Either treats all files of a home alike, so one check is
   * enough. A check is cheaper than a change, which the file system would journal.
   */
  #ensureMode(descriptor: number, home: number, mode: number): void {
    const key = `${home} ${mode}`;
    if (this.#exactModes.has(key)) return;
    if ((fstatSync(descriptor).mode & 0o777) === mode) this.#exactModes.add(key);
    else fchmodSync(descriptor, mode);
  }

  #open(home: number): OpenDirectory {
    const found = this.#directories.find(this.#path(home));
    if (found.kind !== "directory") throw new Error("the stage is gone");
    return found.directory;
  }

  #path(home: number): BytePath {
    const directory = this.#homes[home];
    return directory ? `${directory}/${this.#name}` : this.#name;
  }

  #homePlace(home: number): string | Buffer {
    const place = this.#directories.place(this.#path(home));
    if (place === undefined) throw new Error("the directory of a stage is gone");
    return place;
  }
}

/** Identifies a store by its directory in the names of its stages: no store removes the stages of another. */
export function stageTag(store: string): string {
  const directory = realpathSync(store, { encoding: "buffer" });
  return createHash("sha256").update(directory).digest("hex").slice(0, 16);
}

/** The part of a restore's context that depends on the store. */
export function stagesOf(store: string): Pick<RestoreContext, "leftovers" | "tag"> {
  return { tag: stageTag(store), leftovers: join(store, LEFTOVERS) };
}

/** Stages of this store that were left in the root. */
export function leftStages({ root }: Pick<Directories, "root">, tag: string): BytePath[] {
  const names = readdirSync(diskPath(root, ""), { encoding: "buffer" }).map((name) => name.toString("latin1"));
  return names.filter((name) => name.startsWith(`${STAGE_PREFIX}${tag}-`));
}

/** For each path, the topmost directory on the path's file system. */
export class StageHomes {
  readonly #directories: Directories;
  readonly #homeOf = new Map<BytePath, { device: number; home: BytePath }>();
  readonly homes: BytePath[] = [];

  constructor(directories: Directories) {
    this.#directories = directories;
  }

  indexOf(path: BytePath): number {
    this.#directories.trim();
    const { home } = this.#look(parentOf(path));
    const index = this.homes.indexOf(home);
    return index >= 0 ? index : this.homes.push(home) - 1;
  }

  #look(directory: BytePath): { device: number; home: BytePath } {
    const known = this.#homeOf.get(directory);
    if (known) return known;
    const above = directory === "" ? undefined : this.#look(parentOf(directory));
    const found = this.#directories.find(directory);
    const device = found.kind === "directory" ? lstatSync(found.directory.place(".")).dev : above?.device;
    const home = above && (device === undefined || device === above.device) ? above.home : directory;
    const result = { device: device ?? -1, home };
    this.#homeOf.set(directory, result);
    return result;
  }
}
