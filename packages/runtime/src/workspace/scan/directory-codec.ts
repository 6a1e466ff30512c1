import { ByteReader, ByteWriter } from "../byte-codec.ts";
import type { BytePath } from "../model.ts";
import { type RecordedState, readState, writeState } from "../state-codec.ts";
import type { Directory } from "./listing.ts";
import { newStats, numbersPerEntry } from "./stat-table.ts";

/** A directory as the stat cache keeps it; its rules are read again from the files they are in. */
export type CachedDirectory = Omit<Directory, "slot" | "given" | "rules">;

/** With a writer of the caller's the result is good until the next use of that writer. */
export function encodeDirectory(directory: CachedDirectory, writer = new ByteWriter()): Buffer {
  writer.byte((directory.empty ? 1 : 0) | (directory.ignoredRoot === undefined ? 0 : 2));
  if (directory.ignoredRoot !== undefined) writer.latin1(directory.ignoredRoot);
  for (let index = 0; index < numbersPerEntry; index += 1) writer.double(directory.stats[index] ?? 0);
  writer.varint(directory.names.length);
  directory.names.forEach((name, index) => {
    writer.latin1(name);
    writeState(writer, directory.states[index]);
    const at = (index + 1) * numbersPerEntry;
    for (let number = 0; number < 2; number += 1) writer.double(directory.stats[at + number] ?? 0);
    for (let number = 2; number < numbersPerEntry; number += 1) writer.varint(directory.stats[at + number] ?? 0);
  });
  for (const name of directory.subdirectories) writer.latin1(name);
  return writer.take();
}

export function decodeDirectory(path: BytePath, bytes: Uint8Array): CachedDirectory {
  const reader = new ByteReader(bytes);
  const flags = reader.byte();
  const ignoredRoot = flags & 2 ? reader.latin1() : undefined;
  const own = Array.from({ length: numbersPerEntry }, () => reader.double());
  const count = reader.varint();
  const stats = newStats(count);
  stats.set(own);
  const names: string[] = [];
  const states: (RecordedState | undefined)[] = [];
  for (let index = 0; index < count; index += 1) {
    names.push(reader.latin1());
    states.push(readState(reader));
    const at = (index + 1) * numbersPerEntry;
    for (let number = 0; number < 2; number += 1) stats[at + number] = reader.double();
    for (let number = 2; number < numbersPerEntry; number += 1) stats[at + number] = reader.varint();
  }
  const subdirectories = new Set<string>();
  while (!reader.done) subdirectories.add(reader.latin1());
  return { path, names, stats, states, subdirectories, empty: (flags & 1) !== 0, ignoredRoot };
}
