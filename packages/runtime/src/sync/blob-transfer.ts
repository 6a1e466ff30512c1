import { randomUUID } from "node:crypto";
import { encodePack, type NoAnswer, type PackedBlob, readPack, SYNC_LIMITS, type SyncRefusal } from "@retake/core/sync";
import { type Hash, type ObjectStore, objectId } from "@retake/workspace";
import type { ThreadKeys } from "./thread-keys.ts";
import type { SyncTransport } from "./transport.ts";
import { sha256 } from "./vault-key.ts";

/** The server does not do it, or does not answer. */
export type SyncFailure = SyncRefusal | NoAnswer;

interface Transfer {
  readonly call: SyncTransport;
  readonly vault: string;
  readonly keys: ThreadKeys;
  readonly objects: Pick<ObjectStore, "has" | "read" | "writeHashed">;
  readonly contents: ReadonlyMap<Hash, number>;
  readonly signal?: AbortSignal | undefined;
}

/** Sends those contents that the server does not have, in packs. */
export async function sendBlobs(transfer: Transfer & { readonly kid: string }): Promise<SyncFailure | undefined> {
  const { call, vault, keys, objects, contents, kid, signal } = transfer;
  const pieces = [...contents].flatMap(([hash, size]) =>
    keys.blobNames(hash, size).map((name, piece) => ({ name, hash, piece })),
  );
  let pack: PackedBlob[] = [];
  let length = 0;
  const send = async () => {
    if (pack.length === 0) return undefined;
    const bytes = encodePack(pack);
    [pack, length] = [[], 0];
    const sent = await call("putPack", { vault, pack: randomUUID(), kid, digest: sha256(bytes), bytes }, signal);
    return sent.kind === "answer" ? undefined : sent;
  };
  for (const some of inParts(pieces, SYNC_LIMITS.check_names)) {
    const checked = await call("checkBlobs", { vault, names: some.map(({ name }) => name) }, signal);
    if (checked.kind !== "answer") return checked;
    const missing = new Set(checked.answer.missing);
    for (const { name, hash, piece } of some) {
      if (!missing.delete(name)) continue;
      const bytes = keys.sealPiece(name, objects.read(hash, ""), piece);
      if (length + bytes.length > SYNC_LIMITS.pack_bytes - INDEX_BYTES || pack.length === SYNC_LIMITS.pack_blobs) {
        const failure = await send();
        if (failure) return failure;
      }
      pack.push({ name, bytes });
      length += bytes.length + ENTRY_BYTES;
    }
  }
  return send();
}

/**
 * Fetches contents that are not here, and writes them unflushed. The others are on no server: `absent` names them. Part by
 * part, so that a turn that changed many large files needs little memory.
 */
export async function fetchBlobs(
  transfer: Transfer,
): Promise<{ readonly kind: "fetched"; readonly absent: readonly Hash[] } | SyncFailure> {
  const { call, vault, keys, objects, contents, signal } = transfer;
  const wanted = [...contents].filter(([hash]) => !objects.has(hash));
  const absent: Hash[] = [];
  for (const some of inSmallParts(wanted)) {
    const names = some.flatMap(([hash, size]) => keys.blobNames(hash, size));
    const pieces = new Map<string, Uint8Array>();
    for (const part of inParts(names, SYNC_LIMITS.check_names)) {
      const failure = await fetchPieces({ call, vault, names: part, pieces, signal });
      if (failure) return failure;
    }
    for (const [hash, size] of some) {
      const content = assemble(keys, hash, size, pieces);
      if (content) objects.writeHashed(hash, content);
      else absent.push(hash);
    }
  }
  return { kind: "fetched", absent };
}

async function fetchPieces(request: {
  readonly call: SyncTransport;
  readonly vault: string;
  readonly names: readonly string[];
  readonly pieces: Map<string, Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}): Promise<SyncFailure | undefined> {
  const { call, vault, pieces, signal } = request;
  let left = request.names;
  while (left.length > 0) {
    const fetched = await call("fetchBlobs", { vault, names: left }, signal);
    if (fetched.kind !== "answer") return fetched;
    const index = readPack(fetched.answer);
    if (index.kind === "unreadable")
      return { kind: "no-answer", message: `The server sent a pack, but ${index.problem}.` };
    for (const { name, offset, length } of index.entries)
      pieces.set(name, fetched.answer.subarray(offset, offset + length));
    const rest = left.filter((name) => !pieces.has(name));
    // An answer has at least the first blob that exists.
    if (rest.length === left.length) return undefined;
    left = rest;
  }
  return undefined;
}

/** Undefined when a piece is missing or is not what it should be. */
function assemble(
  keys: ThreadKeys,
  hash: Hash,
  size: number,
  pieces: ReadonlyMap<string, Uint8Array>,
): Buffer | undefined {
  const parts: Buffer[] = [];
  for (const name of keys.blobNames(hash, size)) {
    const sealed = pieces.get(name);
    const part = sealed && keys.openPiece(name, sealed);
    if (!part) return undefined;
    parts.push(part);
  }
  const content = Buffer.concat(parts);
  return objectId("blob", content) === hash ? content : undefined;
}

function* inParts<T>(all: readonly T[], most: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += most) yield all.slice(start, start + most);
}

/** A content that is larger than a part may be is a part of its own. */
function* inSmallParts(
  contents: readonly (readonly [Hash, number])[],
): Generator<readonly (readonly [Hash, number])[]> {
  let part: (readonly [Hash, number])[] = [];
  let bytes = 0;
  for (const content of contents) {
    const [, size] = content;
    if (part.length === MOST_CONTENTS || (part.length > 0 && bytes + size > MOST_BYTES)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(content);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** Of the contents that are fetched before they are written. */
const MOST_CONTENTS = SYNC_LIMITS.check_names / 4;
const MOST_BYTES = 32 * 1024 * 1024;

/** Of an entry in the index of a pack, and of the index without entries. */
const ENTRY_BYTES = 100;
const INDEX_BYTES = 1024;
