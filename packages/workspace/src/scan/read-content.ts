import { hash as digest } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs";
import type { Hash } from "../model/model.ts";

/** The content of a path (valid until the next file is read) with its hash, or why there is none. */
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
  /** Something else is there now. */
  | { readonly kind: "replaced" };

const HEADER_SPACE = 32;
/** Most files fit in it, so that reading many files leaves no garbage. */
const scratch = Buffer.allocUnsafeSlow(1024 * 1024);

/**
 * Reads a regular file and hashes it as git does. Never follows a link, never waits for the writer of a FIFO. `size`
 * and `ctime` come from `lstat`: if they are the same after the last byte was read, nothing changed in between.
 */
export function readFile(path: string | Buffer, size: number, ctime: number): ReadContent {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return failure(error);
  }
  try {
    const buffer = HEADER_SPACE + size <= scratch.length ? scratch : Buffer.allocUnsafe(HEADER_SPACE + size);
    let length = 0;
    while (length < size) {
      const count = readSync(file, buffer, HEADER_SPACE + length, size - length, length);
      if (count === 0) break;
      length += count;
    }
    const after = fstatSync(file);
    if (!after.isFile()) return { kind: "replaced" };
    const torn = length !== size || after.size !== size || after.ctimeMs !== ctime;
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
    const buffer = Buffer.concat([Buffer.alloc(HEADER_SPACE), target]);
    return { kind: "content", ...hashed(buffer, target.length), stat: before, torn: false };
  } catch (error) {
    return failure(error);
  }
}

/** The header is put right before the content, so that one call hashes both without a copy. */
function hashed(buffer: Buffer, length: number): { hash: Hash; content: Buffer } {
  const header = `blob ${length}\0`;
  buffer.write(header, HEADER_SPACE - header.length, "latin1");
  const hash = digest("sha256", buffer.subarray(HEADER_SPACE - header.length, HEADER_SPACE + length), "hex");
  return { hash, content: buffer.subarray(HEADER_SPACE, HEADER_SPACE + length) };
}

function failure(error: unknown): ReadContent {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return { kind: "gone" };
    case "ELOOP":
    case "ENXIO":
    case "EINVAL":
    case "EAGAIN":
    case "EISDIR":
      return { kind: "replaced" };
    case "EACCES":
    case "EPERM":
    case "EIO":
      return { kind: "unreadable" };
    default:
      throw error;
  }
}
