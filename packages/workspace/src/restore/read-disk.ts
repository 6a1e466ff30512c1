import { createHash, hash as hashOnce } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import type { BytePath, FileState, Hash } from "../model/model.ts";
import { objectId } from "../model/object-id.ts";
import { parentOf } from "../model/path-bytes.ts";
import { type Directories, nameOf } from "./directories.ts";
import { errorCode } from "./restore-error.ts";

/**
 * The state of a path now, read from the disk itself: content is hashed, no cache is used, no link is followed, and
 * nothing that could block or act when opened (a FIFO, a device) is opened.
 */
export function readDisk(directories: Directories, path: BytePath): Sighting {
  const parent = directories.find(parentOf(path));
  if (parent.kind === "missing") return { state: undefined };
  if (parent.kind === "blocked") return { state: undefined, obstacle: { kind: "blocked", by: parent.by } };
  return readAt(parent.directory.place(nameOf(path)));
}

/** The same for a place that is known to be in an open directory. */
export function readAt(place: string | Buffer): Sighting {
  for (let attempt = 0; ; attempt += 1) {
    const sighting = readOnce(place);
    // It was written to or replaced during the read: the bytes never were the file's content.
    if (sighting !== "changed") return sighting;
    if (attempt === 20) throw new Error("a file changes faster than it can be read");
  }
}

export interface Sighting {
  /** As a capture would record it: a directory only when it is empty. */
  readonly state: FileState | undefined;
  readonly stamp?: Stamp;
  readonly obstacle?: Obstacle;
}

/** Something that no capture can hold is at the path or in the way. */
export type Obstacle =
  /** A directory with something in it. */
  | { readonly kind: "populated" }
  /** A FIFO, a socket or a device. */
  | { readonly kind: "special" }
  /** `by`, a parent, is a file or a link. */
  | { readonly kind: "blocked"; readonly by: BytePath };

/** Tells, without reading a file, whether it is still the one that was read. */
export interface Stamp {
  readonly inode: number;
  readonly size: number;
  readonly modified: number;
  readonly changed: number;
  /** The file was old enough when it was read that any later write changes its times. */
  readonly settled: boolean;
}

function stampOf(stats: Stats, now: number): Stamp {
  return {
    inode: stats.ino,
    size: stats.size,
    modified: stats.mtimeMs,
    changed: stats.ctimeMs,
    settled: stats.ctimeMs < now - (stats.ctimeMs % 1000 === 0 ? WHOLE_SECONDS : CLOCK_TICK),
  };
}

export function sameStamp(stamp: Stamp, stats: Stats): boolean {
  return stamp.settled && stamp.changed === stats.ctimeMs && sameFile(stamp, stats);
}

/** For a file that was moved, which changes its ctime. */
export function sameFile(stamp: Stamp, stats: Stats): boolean {
  return stamp.inode === stats.ino && stamp.size === stats.size && stamp.modified === stats.mtimeMs;
}

/** The bytes of a place with the given `state`, or `undefined` if its state has changed. */
export function readContent(place: string | Buffer, state: FileState): Buffer | undefined {
  try {
    const content = state.kind === "link" ? readlinkSync(place, { encoding: "buffer" }) : readFile(place);
    return state.kind !== "directory" && objectId("blob", content) === state.hash ? content : undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

// In milliseconds. Kernels stamp files with a clock that ticks every 1 to 10 ms; some file systems store whole seconds,
// or two.
const CLOCK_TICK = 20;
const WHOLE_SECONDS = 2000;
const CHUNK_BYTES = 256 * 1024;
/** Used for every file: a restore of many files would leave one buffer each to the garbage collector. */
let chunk: Buffer | undefined;
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readOnce(place: string | Buffer): Sighting | "changed" {
  try {
    const stats = lstatSync(place);
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(place, { encoding: "buffer" });
      const state: FileState = { kind: "link", hash: objectId("blob", target), size: target.length };
      return { state, stamp: stampOf(stats, Date.now()) };
    }
    if (stats.isDirectory()) {
      if (readdirSync(place, { encoding: "buffer" }).length > 0)
        return { state: undefined, obstacle: { kind: "populated" } };
      return { state: { kind: "directory", mode: stats.mode & 0o7777 } };
    }
    if (!stats.isFile()) return { state: undefined, obstacle: { kind: "special" } };
    return hashFile(place, stats);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { state: undefined };
    if (isGone(error)) return "changed";
    throw error;
  }
}

function hashFile(place: string | Buffer, before: Stats): Sighting | "changed" {
  const now = Date.now();
  const { ino, size, mode, ctimeMs } = before;
  const descriptor = openSync(place, READ_ONLY);
  try {
    const hash = hashContent(descriptor, size);
    const after = fstatSync(descriptor);
    if (hash === undefined || after.ino !== ino || after.size !== size || after.ctimeMs !== ctimeMs) return "changed";
    return { state: { kind: "file", hash, size, mode: mode & 0o7777 }, stamp: stampOf(after, now) };
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined when the file became shorter. */
function hashContent(descriptor: number, size: number): Hash | undefined {
  chunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const header = chunk.write(`blob ${size}\0`, "latin1");
  if (header + size <= CHUNK_BYTES) {
    const whole = chunk.subarray(0, header + size);
    return fill(descriptor, whole, header) === whole.length ? hashOnce("sha256", whole, "hex") : undefined;
  }
  const hash = createHash("sha256").update(chunk.subarray(0, header));
  for (let rest = size; rest > 0; ) {
    const read = readSync(descriptor, chunk, 0, Math.min(rest, CHUNK_BYTES), null);
    if (read === 0) return undefined;
    hash.update(chunk.subarray(0, read));
    rest -= read;
  }
  return hash.digest("hex");
}

function readFile(place: string | Buffer): Buffer {
  const descriptor = openSync(place, READ_ONLY);
  try {
    const content = Buffer.allocUnsafe(fstatSync(descriptor).size);
    return content.subarray(0, fill(descriptor, content));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads into `content` from `start` on; returns where it ended. */
function fill(descriptor: number, content: Buffer, start = 0): number {
  let filled = start;
  while (filled < content.length) {
    const read = readSync(descriptor, content, filled, content.length - filled, null);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

/** Whether the name changed between two calls. */
function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP", "EINVAL"].includes(errorCode(error) ?? "");
}
