import { randomBytes } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { isObject, type JsonObject } from "@retake/core";
import {
  associatedData,
  checkEnvelope,
  pad,
  SEGMENT_FORMAT,
  SEGMENT_VERSION,
  type Segment,
  type SegmentEnvelope,
  unpad,
} from "@retake/core/sync";
import type { BundleLine } from "../exchange/bundle-format.ts";
import { decrypt, encrypt, KEY_BYTES } from "./cipher.ts";
import type { ThreadKeys } from "./thread-keys.ts";
import { sha256 } from "./vault-key.ts";

/** The part of an envelope that says what is in the segment. */
export type SegmentTitle = Pick<SegmentEnvelope, "id" | "vault" | "thread" | "device" | "kid" | "operations" | "blobs">;

/** The body: a random salt, then the encrypted lines. The key follows from the thread's key and the salt. */
export function sealSegment(keys: ThreadKeys, title: SegmentTitle, lines: readonly BundleLine[]): Segment {
  const open = { format: SEGMENT_FORMAT, format_version: SEGMENT_VERSION, ...title, size: 0, digest: "" } as const;
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const salt = randomBytes(KEY_BYTES);
  const packed = pad(zstdCompressSync(text));
  const body = Buffer.concat([salt, encrypt(keys.segmentKey(salt), packed, associatedData(open))]);
  return { envelope: { ...open, size: body.length, digest: sha256(body) }, body: body.toString("base64") };
}

export type OpenedSegment =
  | { readonly kind: "opened"; readonly envelope: SegmentEnvelope; readonly lines: readonly JsonObject[] }
  | { readonly kind: "unreadable"; readonly code: "newer-version" | "damaged"; readonly message: string };

/** Opens a segment that should be one of this vault and thread. */
export function openSegment(
  keys: ThreadKeys,
  { envelope, body }: Segment,
  expected: { readonly vault: string; readonly thread: string },
): OpenedSegment {
  if (envelope.format_version > SEGMENT_VERSION)
    return {
      kind: "unreadable",
      code: "newer-version",
      message: "Another device with a newer Retake has written here. Nothing was changed; update Retake to read it.",
    };
  const problem = checkEnvelope(envelope);
  if (problem) return damaged(`its envelope ${problem}`);
  if (envelope.vault !== expected.vault || envelope.thread !== expected.thread)
    return damaged("it is of another thread");
  const bytes = Buffer.from(body, "base64");
  if (bytes.length !== envelope.size || sha256(bytes) !== envelope.digest) return damaged("its bytes have changed");
  const key = keys.segmentKey(bytes.subarray(0, KEY_BYTES));
  const padded = decrypt(key, bytes.subarray(KEY_BYTES), associatedData(envelope));
  const packed = padded && unpad(padded);
  if (!packed) return damaged("it was not encrypted with the key of this thread");
  try {
    const text = zstdDecompressSync(packed, { maxOutputLength: LARGEST_TEXT, chunkSize: USUAL_TEXT }).toString("utf8");
    const lines = text
      .split("\n")
      .slice(0, -1)
      .map((line): unknown => JSON.parse(line));
    return lines.every(isObject) ? { kind: "opened", envelope, lines } : damaged("a line of it is no JSON object");
  } catch (error) {
    return damaged((error as Error).message);
  }
}

/** A tree of several hundred thousand files is listed in one segment. */
const LARGEST_TEXT = 512 * 1024 ** 2;
/** Decompressed at once. */
const USUAL_TEXT = 256 * 1024;

function damaged(why: string): OpenedSegment {
  return {
    kind: "unreadable",
    code: "damaged",
    message: `The server's copy of this thread cannot be trusted: ${why}. Nothing was changed here.`,
  };
}
