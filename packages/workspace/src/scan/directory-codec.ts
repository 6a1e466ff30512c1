import { ByteReader, ByteWriter } from "../model/byte-codec.ts";
import type { BytePath } from "../model/model.ts";
import type { Directory } from "./listing.ts";
import { Names, NO_NAMES } from "./names.ts";
import { PackedStates } from "./packed-states.ts";
import { newStats } from "./stat-table.ts";

/** A directory as stored in the stat cache. Its rules are not stored, but read again from their files. */
export type CachedDirectory = Omit<Directory, "slot" | "given" | "rules">;

const FORMAT = 16;

/** With the caller's own writer the result is valid until the next use of that writer. */
export function encodeDirectory(directory: CachedDirectory, writer = new ByteWriter()): Buffer {
  const { names, stats, states, subdirectories, empty, ignoredRoot } = directory;
  writer.byte(FORMAT);
  writer.byte((empty ? 1 : 0) | (ignoredRoot === undefined ? 0 : 2));
  if (ignoredRoot !== undefined) writer.latin1(ignoredRoot);
  writer.varint(states.length);
  // In the machine's byte order: this cache never leaves the machine.
  writer.bytes(bytesOf(stats));
  writer.bytes(states.bytes);
  writer.latin1(names.text);
  writer.latin1(new Names([...subdirectories]).text);
  return writer.take();
}

/** Undefined for data of another version: it is only a cache, and the directory is read again. */
export function decodeDirectory(path: BytePath, bytes: Uint8Array): CachedDirectory | undefined {
  const reader = new ByteReader(bytes);
  if (reader.byte() !== FORMAT) return undefined;
  const flags = reader.byte();
  const ignoredRoot = flags & 2 ? reader.latin1() : undefined;
  const count = reader.varint();
  const stats = newStats(count);
  bytesOf(stats).set(reader.bytes(stats.byteLength));
  const states = new PackedStates(count, reader.bytes(PackedStates.byteLength(count)));
  const names = new Names(reader.latin1());
  const below = new Names(reader.latin1()).list;
  const subdirectories = below.length > 0 ? new Set(below) : NO_NAMES;
  return { path, names, stats, states, subdirectories, empty: (flags & 1) !== 0, ignoredRoot };
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
