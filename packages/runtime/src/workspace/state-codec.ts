import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ByteReader, ByteWriter } from "./byte-codec.ts";
import { type BytePath, type Change, type FileState, type Uncovered, uncoveredReasons } from "./model.ts";

/** A path's state as a capture records it; `undefined` where there is nothing. */
export type RecordedState = FileState | Uncovered;

const version = 1;
const tags = { absent: 0, file: 1, link: 2, directory: 3, uncovered: 4, ignored: 8, inherited: 16 };
const worthCompressing = 512;

export function encodeChanges(changes: readonly Change[]): Buffer {
  const writer = new ByteWriter();
  let previous = "";
  for (const change of changes) {
    writer.path(change.path, previous);
    writeState(writer, change.before);
    writeState(writer, change.after);
    previous = change.path;
  }
  return seal(writer.finish());
}

export function decodeChanges(bytes: Uint8Array): Change[] {
  const reader = new ByteReader(unseal(bytes));
  const changes: Change[] = [];
  let path = "";
  while (!reader.done) {
    path = reader.path(path);
    const before = readState(reader);
    const after = readState(reader);
    changes.push({ path, ...(before && { before }), ...(after && { after }) });
  }
  return changes;
}

export function encodeListing(listing: Iterable<readonly [BytePath, RecordedState]>): Buffer {
  const writer = new ByteWriter();
  let previous = "";
  for (const [path, state] of listing) {
    writer.path(path, previous);
    writeState(writer, state);
    previous = path;
  }
  return seal(writer.finish());
}

export function decodeListing(bytes: Uint8Array): Map<BytePath, RecordedState> {
  const reader = new ByteReader(unseal(bytes));
  const listing = new Map<BytePath, RecordedState>();
  let path = "";
  while (!reader.done) {
    path = reader.path(path);
    const state = readState(reader);
    if (state) listing.set(path, state);
  }
  return listing;
}

export function writeState(writer: ByteWriter, state: RecordedState | undefined): void {
  if (!state) {
    writer.byte(tags.absent);
    return;
  }
  if (state.kind === "uncovered") {
    writer.byte(tags.uncovered | (state.inherited ? tags.inherited : 0));
    writer.byte(uncoveredReasons.indexOf(state.reason));
    return;
  }
  writer.byte(tags[state.kind] | (state.ignored ? tags.ignored : 0));
  if (state.kind !== "link") writer.varint(state.mode);
  if (state.kind === "directory") return;
  writer.hex(state.hash);
  writer.varint(state.size);
}

export function readState(reader: ByteReader): RecordedState | undefined {
  const tag = reader.byte();
  const ignored = (tag & tags.ignored) !== 0 ? ({ ignored: true } as const) : {};
  const inherited = (tag & tags.inherited) !== 0 ? ({ inherited: true } as const) : {};
  switch (tag & ~(tags.ignored | tags.inherited)) {
    case tags.absent:
      return undefined;
    case tags.file: {
      const mode = reader.varint();
      return { kind: "file", hash: reader.hex(32), size: reader.varint(), mode, ...ignored };
    }
    case tags.link:
      return { kind: "link", hash: reader.hex(32), size: reader.varint(), ...ignored };
    case tags.directory:
      return { kind: "directory", mode: reader.varint(), ...ignored };
    case tags.uncovered: {
      const reason = uncoveredReasons[reader.byte()];
      if (reason) return { kind: "uncovered", reason, ...inherited };
    }
  }
  throw new Error(`A capture holds a kind of file this version does not know (${tag})`);
}

export function sameState(a: RecordedState | undefined, b: RecordedState | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.kind !== b.kind) return false;
  if (a.kind === "uncovered") return b.kind === "uncovered" && a.reason === b.reason;
  if (b.kind === "uncovered" || a.ignored !== b.ignored) return false;
  if (a.kind !== "link" && b.kind !== "link" && a.mode !== b.mode) return false;
  return a.kind === "directory" || b.kind === "directory" || a.hash === b.hash;
}

function seal(content: Buffer): Buffer {
  if (content.length < worthCompressing) return Buffer.concat([Buffer.from([version, 0]), content]);
  const compressed = zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
  return Buffer.concat([Buffer.from([version, 1]), compressed]);
}

function unseal(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== version)
    throw new Error(`A capture was written in a format this version does not know (${bytes[0]})`);
  const content = bytes.subarray(2);
  return bytes[1] === 0 ? content : zstdDecompressSync(content);
}
