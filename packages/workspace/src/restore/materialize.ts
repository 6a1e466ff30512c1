import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { BytePath, FileState, FileTree, ObjectReader } from "../model/model.ts";
import { bytePath, parentOf, showPath } from "../model/path-bytes.ts";
import { pathProblem } from "../model/path-rules.ts";
import { Directories, nameOf } from "./directories.ts";
import { permitted, sameState } from "./file-state.ts";
import { readDisk } from "./read-disk.ts";
import { errorCode, pathRefused, RestoreError } from "./restore-error.ts";

/**
 * Writes a tree into a directory that is new or empty. `source` may be a workspace that has many of the files: where
 * the file system supports it they are cloned from there (without copying data), and checked. On failure the directory
 * is as before.
 */
export function materialize(tree: FileTree, objects: ObjectReader, target: string, source?: BytePath): Materialized {
  for (const [path] of tree.entries()) {
    const problem = pathProblem(path);
    if (problem) throw pathRefused(path, problem);
  }
  const created = makeEmpty(target);
  const directories = new Directories(bytePath(target));
  const sources = source === undefined ? undefined : new Directories(source);
  const writer = new TreeWriter(directories, sources, objects);
  try {
    for (const [path, state] of tree.entries()) writer.write(path, permitted(state));
    writer.setModes();
    return { files: writer.files, cloned: writer.cloned };
  } catch (error) {
    writer.takeBack();
    if (created) rmdirSync(target);
    throw error;
  } finally {
    directories.close();
    sources?.close();
  }
}

export interface Materialized {
  readonly files: number;
  /** How many of them came from `source`. */
  readonly cloned: number;
}

function makeEmpty(target: string): boolean {
  try {
    mkdirSync(target);
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw notMade(target, error);
  }
  try {
    if (readdirSync(target).length === 0) return false;
  } catch (error) {
    throw notMade(target, error);
  }
  throw new RestoreError("not-empty", `'${target}' is not empty. Nothing was written. Name a new directory.`);
}

function notMade(target: string, cause: unknown): RestoreError {
  const why = WHY_NOT_MADE[errorCode(cause) ?? ""] ?? (cause as Error).message;
  return new RestoreError("not-started", `'${target}' cannot be made: ${why}. Nothing was written.`, { cause });
}

const WHY_NOT_MADE: Readonly<Record<string, string>> = {
  ENOENT: "the directory around it is not there",
  ENOTDIR: "a file is in its place, or around it",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "the disk cannot be written",
};

class TreeWriter {
  readonly #directories: Directories;
  readonly #sources: Directories | undefined;
  readonly #objects: ObjectReader;
  readonly #entries: { path: BytePath; directory: boolean }[] = [];
  readonly #modes: { path: BytePath; mode: number }[] = [];
  files = 0;
  cloned = 0;

  constructor(directories: Directories, sources: Directories | undefined, objects: ObjectReader) {
    this.#directories = directories;
    this.#sources = sources;
    this.#objects = objects;
  }

  write(path: BytePath, state: FileState): void {
    this.#directories.trim();
    this.#sources?.trim();
    const home = state.kind === "directory" ? path : parentOf(path);
    const found = this.#directories.ensure(home, (made) => this.#entries.push({ path: made, directory: true }));
    if (found.kind !== "directory") {
      throw new RestoreError("path-refused", `'${showPath(path)}' leads through another file. Nothing was kept.`, {
        path,
      });
    }
    if (state.kind === "directory") {
      this.#modes.push({ path, mode: state.mode });
      return;
    }
    const place = found.directory.place(nameOf(path));
    this.#entries.push({ path, directory: false });
    this.files += 1;
    if (state.kind === "link") symlinkSync(this.#objects.read(state.hash, path), place);
    else if (this.#clone(path, state, place)) this.cloned += 1;
    else writeNew(place, this.#objects.read(state.hash, path), state.mode);
  }

  /** Done last, because a directory without write permission could not be filled. */
  setModes(): void {
    for (const { path, mode } of this.#modes) {
      this.#directories.trim();
      const found = this.#directories.find(path);
      if (found.kind === "directory") chmodSync(found.directory.place("."), mode);
    }
  }

  takeBack(): void {
    for (const { path, directory } of this.#entries.reverse()) {
      this.#directories.forget(path);
      const place = this.#directories.place(path);
      if (place === undefined) continue;
      try {
        if (directory) rmdirSync(place);
        else unlinkSync(place);
      } catch (error) {
        if (errorCode(error) !== "ENOENT") throw error;
      }
    }
  }

  #clone(path: BytePath, state: FileState, place: string | Buffer): boolean {
    const from = this.#sources?.place(path);
    if (from === undefined || this.#sources === undefined) return false;
    if (!sameState(readDisk(this.#sources, path).state, state)) return false;
    copyFileSync(from, place, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    // The source may have changed in between.
    if (sameState(readDisk(this.#directories, path).state, state)) return true;
    unlinkSync(place);
    return false;
  }
}

function writeNew(place: string | Buffer, content: Buffer, mode: number): void {
  const descriptor = openSync(place, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeFileSync(descriptor, content);
    fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}
