import { hash as digest } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs";
import type { Hash } from "../model.ts";

/** What a path held: content with its hash, or why it has none to give. */
export type ReadContent =
  | {
      readonly kind: "content";
      readonly hash: Hash;
      readonly content: Buffer;
      readonly stat: Stats;
      readonly torn: boolean;
    }
  | { readonly kind: "gone" }
  | { readonly kind: "unreadable" }
  /** Something else is there by now. */
  | { readonly kind: "replaced" };

const headerSpace = 32;

/** Reads a regular file and hashes it as git does. Never follows a link, never waits for a FIFO's writer. */
export function readFile(path: string | Buffer): ReadContent {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return failure(error);
  }
  try {
    const before = fstatSync(file);
    if (!before.isFile()) return { kind: "replaced" };
    let buffer = Buffer.allocUnsafe(headerSpace + before.size);
    let length = 0;
    for (;;) {
      const space = buffer.length - headerSpace - length;
      const count = space === 0 ? 0 : readSync(file, buffer, headerSpace + length, space, length);
      length += count;
      if (count > 0) continue;
      if (space > 0) break;
      // As long as it was said to be. One more byte would show that it grew, but so does its time below.
      break;
    }
    const after = fstatSync(file);
    const torn = length !== before.size || after.size !== before.size || after.ctimeMs !== before.ctimeMs;
    if (length < before.size) buffer = buffer.subarray(0, headerSpace + length);
    return { kind: "content", ...hashed(buffer, length), stat: after, torn };
  } catch (error) {
    return failure(error);
  } finally {
    closeSync(file);
  }
}

export function readLink(path: string | Buffer): ReadContent {
  try {
    const before = lstatSync(path);
    if (!before.isSymbolicLink()) return { kind: "replaced" };
    const target = readlinkSync(path, "buffer");
    const buffer = Buffer.concat([Buffer.alloc(headerSpace), target]);
    return { kind: "content", ...hashed(buffer, target.length), stat: before, torn: false };
  } catch (error) {
    return failure(error);
  }
}

/** The header goes right before the content, so that one call hashes both without a copy. */
function hashed(buffer: Buffer, length: number): { hash: Hash; content: Buffer } {
  const header = `blob ${length}\0`;
  buffer.write(header, headerSpace - header.length, "latin1");
  const hash = digest("sha256", buffer.subarray(headerSpace - header.length, headerSpace + length), "hex");
  return { hash, content: buffer.subarray(headerSpace, headerSpace + length) };
}

function failure(error: unknown): ReadContent {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return { kind: "gone" };
    case "ELOOP":
    case "ENXIO":
    case "EINVAL":
      return { kind: "replaced" };
    case "EACCES":
    case "EPERM":
    case "EIO":
      return { kind: "unreadable" };
    default:
      throw error;
  }
}
