/**
 * Where a restore prepares its files: a directory inside the workspace, because a rename is atomic
 * only within one file system. A directory that another file system is mounted on has a stage of its own.
 *
 *   n<i>   the new file of action i; renamed into place, so its absence says that this was done
 *   o<i>   the old file of action i, moved here instead of being deleted
 *
 * So the stage is also the record of how far the restore got. It is removed when the journal says that all is in place.
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
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { BytePath, FileState } from "../model/model.ts";
import { diskPath, parentOf } from "../model/path-bytes.ts";
import { stagePrefix } from "../model/path-rules.ts";
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
  #leftovers: Leftovers | undefined;

  /** `tag` names the store; see `stageTag`. */
  constructor(directories: Directories, tag: string, id: string, homes: readonly BytePath[]) {
    this.#directories = directories;
    this.#id = id;
    this.#name = `${stagePrefix}${tag}-${id}`;
    this.#homes = homes;
  }

  /** Makes what is not there; answers, home by home, whether it was made. */
  create(): boolean[] {
    return this.#homes.map((_, home) => {
      if (this.#directories.find(this.#path(home)).kind === "directory") return false;
      mkdirSync(this.#homePlace(home), { mode: 0o700 });
      return true;
    });
  }

  /** Where the new or the old file of an action is. */
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
      writeFileSync(descriptor, content);
      // The process's umask takes bits away. Looking costs less than a change that has to be journaled.
      if ((fstatSync(descriptor).mode & 0o777) !== mode) fchmodSync(descriptor, mode);
      // Who may not read it cannot open it again to flush it later.
      if ((state.mode & 0o400) === 0) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the new file of an action, if it is there. */
  discard(home: number, index: number): void {
    try {
      unlinkSync(this.place(home, "n", index));
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }

  /** Resolves when nothing of it is in the workspace any more; its space may be given back later. */
  async remove(): Promise<void> {
    for (const [home] of this.#homes.entries()) await removeStage(this.#directories, this.#path(home), this.#deletions);
  }

  /** The same once all is in place: by a rename for each home, where `leftovers` is on the same file system. */
  async moveTo(leftovers: Leftovers): Promise<void> {
    for (const [home] of this.#homes.entries()) {
      const path = this.#path(home);
      const moved = leftovers.take(this.#homePlace(home), `${this.#id}-${home}`);
      if (moved) this.#directories.forget(path);
      else await removeStage(this.#directories, path, this.#deletions);
    }
    this.#leftovers = leftovers;
  }

  /** Resolves when the space of what was removed is given back. */
  async freed(): Promise<void> {
    await this.#leftovers?.clear(this.#deletions);
    await this.#deletions.drained();
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

/** Names a store, by its directory, in its stages: two stores never clear away each other's. */
export function stageTag(store: string): string {
  const directory = realpathSync(store, { encoding: "buffer" });
  return createHash("sha256").update(directory).digest("hex").slice(0, 16);
}

/** What a restore has to know of its store. */
export function stagesOf(store: string): Pick<RestoreContext, "leftovers" | "tag"> {
  return { tag: stageTag(store), leftovers: join(store, LEFTOVERS) };
}

/** Stages in the root that this store left behind. */
export function leftStages({ root }: Pick<Directories, "root">, tag: string): BytePath[] {
  const names = readdirSync(diskPath(root, ""), { encoding: "buffer" }).map((name) => name.toString("latin1"));
  return names.filter((name) => name.startsWith(`${stagePrefix}${tag}-`));
}

/** For each path, the topmost directory on the file system that the path is on. */
export class StageHomes {
  readonly #directories: Directories;
  readonly #known = new Map<BytePath, { device: number; home: BytePath }>();
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
    const known = this.#known.get(directory);
    if (known) return known;
    const above = directory === "" ? undefined : this.#look(parentOf(directory));
    const found = this.#directories.find(directory);
    const device = found.kind === "directory" ? lstatSync(found.directory.place(".")).dev : above?.device;
    const home = above && (device === undefined || device === above.device) ? above.home : directory;
    const result = { device: device ?? -1, home };
    this.#known.set(directory, result);
    return result;
  }
}
