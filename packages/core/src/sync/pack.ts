import { fields, whole } from "../values/check.ts";
import { SYNC_LIMITS } from "./limits.ts";
import { atMost } from "./segment.ts";
import { blobName } from "./sync-values.ts";

/**
 * A pack is several encrypted blobs in one request or answer:
 *
 *     4 bytes   the length of the index, big-endian
 *     index     {"format_version":1,"blobs":[{"name":…,"length":…}, …]}, in ASCII
 *     blobs     in the order of the index, without gaps
 */
export interface PackEntry {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

export interface PackedBlob {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const HEAD = 4;
const PACK_VERSION = 1;

export function encodePack(blobs: readonly PackedBlob[]): Uint8Array {
  const listed = blobs.map(({ name, bytes }) => ({ name, length: bytes.length }));
  const index = JSON.stringify({ format_version: PACK_VERSION, blobs: listed });
  const length = blobs.reduce((sum, { bytes }) => sum + bytes.length, HEAD + index.length);
  const pack = new Uint8Array(length);
  new DataView(pack.buffer).setUint32(0, index.length);
  for (let at = 0; at < index.length; at += 1) pack[HEAD + at] = index.charCodeAt(at);
  let offset = HEAD + index.length;
  for (const { bytes } of blobs) {
    pack.set(bytes, offset);
    offset += bytes.length;
  }
  return pack;
}

const checkIndex = fields({
  format_version: whole(1),
  blobs: atMost(SYNC_LIMITS.pack_blobs, fields({ name: blobName, length: whole(1, SYNC_LIMITS.blob_bytes) })),
});

export type PackIndex =
  | { readonly kind: "pack"; readonly entries: readonly PackEntry[] }
  | { readonly kind: "unreadable"; readonly code: "newer-version" | "malformed"; readonly problem: string };

/** Reads where the blobs of a pack are. The entries fill the pack exactly. */
export function readPack(pack: Uint8Array): PackIndex {
  if (pack.length < HEAD) return malformed("it is cut off");
  const length = new DataView(pack.buffer, pack.byteOffset, HEAD).getUint32(0);
  if (HEAD + length > pack.length) return malformed("its index is cut off");
  const index = parse(pack.subarray(HEAD, HEAD + length));
  const problem = checkIndex(index);
  if (problem) return malformed(`its index ${problem}`);
  const { format_version, blobs } = index as {
    readonly format_version: number;
    readonly blobs: readonly { readonly name: string; readonly length: number }[];
  };
  if (format_version > PACK_VERSION)
    return { kind: "unreadable", code: "newer-version", problem: `it is in version ${format_version}` };
  const entries: PackEntry[] = [];
  let offset = HEAD + length;
  for (const blob of blobs) {
    entries.push({ name: blob.name, offset, length: blob.length });
    offset += blob.length;
  }
  if (offset !== pack.length) return malformed("its index does not fit its length");
  if (new Set(blobs.map(({ name }) => name)).size < blobs.length) return malformed("it names a blob twice");
  return { kind: "pack", entries };
}

function parse(bytes: Uint8Array): unknown {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function malformed(problem: string): PackIndex {
  return { kind: "unreadable", code: "malformed", problem };
}
