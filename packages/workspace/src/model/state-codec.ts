import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ByteReader, ByteWriter } from "./byte-codec.ts";
import { freeBuffer } from "./free-buffer.ts";
import { type BytePath, type Change, type FileState, type Hash, UNCOVERED_REASONS, type Uncovered } from "./model.ts";

/** The state of a path in a capture; `undefined` means that nothing is there. */
export type RecordedState = FileState | Uncovered;

const VERSION = 1;
const TAGS = { absent: 0, file: 1, link: 2, directory: 3, uncovered: 4, ignored: 8, inherited: 16 };
const WORTH_COMPRESSING = 512;
/** Long lists are compressed in pieces, so that encoding 100,000 files needs memory for only one piece. */
const PIECE_BYTES = 512 * 1024;

export function encodeChanges(changes: readonly Change[]): Buffer {
  return encodePieces(changes, (writer, { path, before, after }, previous) => {
    writer.path(path, previous);
    writeState(writer, before);
    writeState(writer, after);
    return path;
  });
}

export function decodeChanges(bytes: Uint8Array): Change[] {
  const changes: Change[] = [];
  decodePieces(bytes, (reader, previous) => {
    const path = reader.path(previous);
    const before = readState(reader);
    const after = readState(reader);
    changes.push({ path, ...(before && { before }), ...(after && { after }) });
    return path;
  });
  return changes;
}

export function encodeListing(listing: Iterable<readonly [BytePath, RecordedState]>): Buffer {
  return encodePieces(listing, (writer, [path, state], previous) => {
    writer.path(path, previous);
    writeState(writer, state);
    return path;
  });
}

export function decodeListing(bytes: Uint8Array): Map<BytePath, RecordedState> {
  const listing = new Map<BytePath, RecordedState>();
  decodePieces(bytes, (reader, previous) => {
    const path = reader.path(previous);
    const state = readState(reader);
    if (state) listing.set(path, state);
    return path;
  });
  return listing;
}

export function writeState(writer: ByteWriter, state: RecordedState | undefined): void {
  if (!state) {
    writer.byte(TAGS.absent);
    return;
  }
  if (state.kind === "uncovered") {
    writer.byte(TAGS.uncovered | (state.inherited ? TAGS.inherited : 0));
    writer.byte(UNCOVERED_REASONS.indexOf(state.reason));
    return;
  }
  writer.byte(TAGS[state.kind] | (state.ignored ? TAGS.ignored : 0));
  if (state.kind !== "link") writer.varint(state.mode);
  if (state.kind === "directory") return;
  writer.hex(state.hash);
  writer.varint(state.size);
}

export function readState(reader: ByteReader): RecordedState | undefined {
  const tag = reader.byte();
  const ignored = (tag & TAGS.ignored) !== 0 ? ({ ignored: true } as const) : {};
  const inherited = (tag & TAGS.inherited) !== 0 ? ({ inherited: true } as const) : {};
  switch (tag & ~(TAGS.ignored | TAGS.inherited)) {
    case TAGS.absent:
      return undefined;
    case TAGS.file: {
      const mode = reader.varint();
      return { kind: "file", hash: reader.hex(32), size: reader.varint(), mode, ...ignored };
    }
    case TAGS.link:
      return { kind: "link", hash: reader.hex(32), size: reader.varint(), ...ignored };
    case TAGS.directory:
      return { kind: "directory", mode: reader.varint(), ...ignored };
    case TAGS.uncovered: {
      const reason = UNCOVERED_REASONS[reader.byte()];
      if (reason) return { kind: "uncovered", reason, ...inherited };
    }
  }
  throw new Error(`A capture holds a kind of file this version does not know (${tag})`);
}

/** Decided by the first byte of a state. */
export function isUncovered(tag: number): boolean {
  return (tag & ~(TAGS.ignored | TAGS.inherited)) === TAGS.uncovered;
}

/** Whether a state names content: that of a file, or the target of a link. */
export function hasContent(state: RecordedState | undefined): state is Extract<FileState, { hash: Hash }> {
  return state?.kind === "file" || state?.kind === "link";
}

export function sameState(a: RecordedState | undefined, b: RecordedState | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.kind !== b.kind) return false;
  if (a.kind === "uncovered") return b.kind === "uncovered" && a.reason === b.reason;
  if (b.kind === "uncovered" || a.ignored !== b.ignored) return false;
  if (a.kind !== "link" && b.kind !== "link" && a.mode !== b.mode) return false;
  return a.kind === "directory" || b.kind === "directory" || a.hash === b.hash;
}

/** Format: a version byte; then pieces, each with a flag (compressed or not), its length and its bytes. */
function encodePieces<T>(
  items: Iterable<T>,
  write: (writer: ByteWriter, item: T, previous: BytePath) => BytePath,
): Buffer {
  const pieces: Buffer[] = [Buffer.from([VERSION])];
  const writer = new ByteWriter();
  let previous = "";
  const close = () => {
    const content = writer.take();
    const compressed = content.length >= WORTH_COMPRESSING;
    const body = compressed ? zstdCompressSync(content, { chunkSize: PIECE_BYTES }) : Buffer.from(content);
    const head = new ByteWriter();
    head.byte(compressed ? 1 : 0);
    head.varint(body.length);
    pieces.push(head.finish(), body);
    previous = "";
  };
  for (const item of items) {
    previous = write(writer, item, previous);
    if (writer.length >= PIECE_BYTES) close();
  }
  if (writer.length > 0) close();
  const whole = Buffer.concat(pieces);
  pieces.forEach(freeBuffer);
  return whole;
}

function decodePieces(bytes: Uint8Array, read: (reader: ByteReader, previous: BytePath) => BytePath): void {
  const outer = new ByteReader(bytes);
  const found = outer.byte();
  if (found !== VERSION) throw new Error(`A capture was written in a format this version does not know (${found})`);
  while (!outer.done) {
    const compressed = outer.byte() === 1;
    const body = outer.bytes(outer.varint());
    const reader = new ByteReader(compressed ? zstdDecompressSync(body) : body);
    for (let previous = ""; !reader.done; ) previous = read(reader, previous);
  }
}
