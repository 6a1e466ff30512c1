/**
 * The directories of a workspace, opened so that no symlink is ever followed.
 *
 * A path is only a list of names, and names change: between a check and a write, `src/` can become a link to somewhere
 * else. So nothing below the root is opened by its path. Each directory is opened by name inside its parent, which is
 * already open, and the open fails on a link. From then on the directory is used through its descriptor, which stays
 * with it whatever happens to the name.
 *
 * Node has no `openat`, but on Linux `/proc/self/fd/<n>/<name>` is looked up inside the directory of descriptor n,
 * which is the same thing. Without /proc every parent is checked with `lstat` and `realpath` right before use. That
 * protects against a malicious tree or an earlier change, but not against a process that swaps directories within those
 * microseconds.
 */
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import type { BytePath } from "../model/model.ts";
import { diskPath, parentOf } from "../model/path-bytes.ts";
import { errorCode } from "./restore-error.ts";

export class Directories {
  readonly root: BytePath;
  readonly #open = new Map<BytePath, OpenDirectory>();
  readonly #held: boolean;

  /** `root` may be reached through links; paths below it may not. Tests set `held` to try the other mode. */
  constructor(root: BytePath, held = descriptorsAreDirectories) {
    this.#held = held;
    this.root = realpathSync.native(diskPath(root, ""), { encoding: "buffer" }).toString("latin1");
    this.#open.set("", this.#openAt(diskPath(this.root, ""), ""));
  }

  /** The directory at `path` ("" is the root), or why there is none. */
  find(path: BytePath): DirectoryLookup {
    const open = this.#open.get(path);
    if (open) return { kind: "directory", directory: open };
    const parent = this.find(parentOf(path));
    if (parent.kind !== "directory") return parent;
    const place = parent.directory.place(nameOf(path));
    try {
      const directory = this.#openAt(place, path);
      this.#open.set(path, directory);
      return { kind: "directory", directory };
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT") return { kind: "missing", path };
      if (code === "ENOTDIR" || code === "ELOOP") return { kind: "blocked", by: path };
      throw error;
    }
  }

  /** The place of `path` for one fs call; `undefined` when its parent is missing or no directory. */
  place(path: BytePath): string | Buffer | undefined {
    const found = this.find(parentOf(path));
    return found.kind === "directory" ? found.directory.place(nameOf(path)) : undefined;
  }

  /** Makes `path` and its parents; `made` is called for each directory that did not exist. */
  ensure(path: BytePath, made: (path: BytePath) => void): DirectoryLookup {
    const found = this.find(path);
    if (found.kind !== "missing") return found;
    const parent = this.ensure(parentOf(path), made);
    if (parent.kind !== "directory") return parent;
    try {
      mkdirSync(parent.directory.place(nameOf(path)));
      made(path);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    return this.find(path);
  }

  /** Must be called when a directory may have been removed or replaced. */
  forget(path: BytePath): void {
    const open = this.#open.get(path);
    if (!open) return;
    this.#open.delete(path);
    open.close();
  }

  /**
   * Closes all but the root when many are open. Call it only between two uses: it invalidates places, because the
   * descriptor's number may then belong to another directory.
   */
  trim(): void {
    if (this.#open.size <= FEWEST) return;
    mostOpen ??= readMostOpen();
    if (this.#open.size <= mostOpen) return;
    for (const path of [...this.#open.keys()]) if (path !== "") this.forget(path);
  }

  close(): void {
    for (const open of this.#open.values()) open.close();
    this.#open.clear();
  }

  #openAt(place: string | Buffer, path: BytePath): OpenDirectory {
    const expected = diskPath(this.root, path);
    return this.#held ? new HeldDirectory(place, expected) : new NamedDirectory(expected);
  }
}

export type DirectoryLookup =
  | { readonly kind: "directory"; readonly directory: OpenDirectory }
  /** Nothing is at `path`, which is the requested directory or a parent of it. */
  | { readonly kind: "missing"; readonly path: BytePath }
  /** `by` is a link, a file, or was moved away while it was opened. */
  | { readonly kind: "blocked"; readonly by: BytePath };

export interface OpenDirectory {
  place(name: BytePath): string | Buffer;
  close(): void;
}

/** Every process may open this many. */
const FEWEST = 64;
/** The limit of open directories: a part of the process's limit, because it opens other files too. */
let mostOpen: number | undefined;

function readMostOpen(): number {
  const limits = descriptorsAreDirectories ? readFileSync("/proc/self/limits", "latin1") : "";
  const allowed = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 512);
  return Math.min(4096, Math.floor(allowed / 4));
}

const descriptorsAreDirectories = process.platform === "linux" && existsSync("/proc/self/fd");
/** Linux's O_PATH: a handle for looking up names, which needs no permission to list the directory. */
const LOOKUP_ONLY = 0o10000000;

class HeldDirectory implements OpenDirectory {
  readonly #descriptor: number;
  readonly #place: string;

  constructor(place: string | Buffer, expected: string | Buffer) {
    this.#descriptor = openSync(place, LOOKUP_ONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    this.#place = `/proc/self/fd/${this.#descriptor}`;
    try {
      // Checks that the open directory is still where its name says, and was not moved out of the workspace.
      const actual = readlinkSync(this.#place, { encoding: "buffer" });
      if (!actual.equals(asBuffer(expected))) throw notADirectory();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  place(name: BytePath): string | Buffer {
    return diskPath(this.#place, name);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

class NamedDirectory implements OpenDirectory {
  readonly #path: string | Buffer;

  constructor(path: string | Buffer) {
    this.#path = path;
    this.#check();
  }

  place(name: BytePath): string | Buffer {
    this.#check();
    return diskPath(asBuffer(this.#path).toString("latin1"), name);
  }

  close(): void {}

  #check(): void {
    if (!lstatSync(this.#path).isDirectory()) throw notADirectory();
    if (!realpathSync.native(this.#path, { encoding: "buffer" }).equals(asBuffer(this.#path))) throw notADirectory();
  }
}

export function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf("/") + 1);
}

function asBuffer(path: string | Buffer): Buffer {
  return typeof path === "string" ? Buffer.from(path, "utf8") : path;
}

function notADirectory(): Error {
  return Object.assign(new Error("not a directory of the workspace"), { code: "ENOTDIR" });
}
