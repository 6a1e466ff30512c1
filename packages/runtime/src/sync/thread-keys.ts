import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { pad, SYNC_LIMITS, unpad } from "@retake/core/sync";
import { decrypt, derive, encrypt } from "./cipher.ts";

/** The keys that are derived from the key of a thread, and everything that is encrypted with them except segments. */
export class ThreadKeys {
  readonly key: Uint8Array;
  /** An object, because a key of bytes is prepared anew for each name. */
  readonly #names: KeyObject;
  readonly #blobs: Buffer;
  readonly #of: string;

  constructor(key: Uint8Array, vault: string, thread: string) {
    this.key = key;
    this.#names = createSecretKey(derive(key, "names"));
    this.#blobs = derive(key, "blobs");
    this.#of = `${vault} ${thread}`;
  }

  /** Each segment has its own key, so that no nonce is ever used twice however many segments there are. */
  segmentKey(salt: Uint8Array): Buffer {
    return derive(this.key, "segment", salt);
  }

  /** The key of a share: whoever has it reads that share, and nothing else of the thread. */
  shareKey(share: string): Buffer {
    return derive(this.key, "share", Buffer.from(share, "hex"));
  }

  /** Equal for equal operations; says nothing to those without the key. */
  tag(operationHash: string): string {
    return this.#name(`operation ${operationHash}`).slice(0, 32);
  }

  /** The names of the pieces of a content. */
  blobNames(hash: string, size: number): string[] {
    return Array.from({ length: piecesOf(size) }, (_, piece) => this.#name(`${hash}/${piece}`));
  }

  /** A piece of a content, encrypted under its name. */
  sealPiece(name: string, content: Uint8Array, piece: number): Buffer {
    const start = piece * SYNC_LIMITS.blob_content_bytes;
    const part = content.subarray(start, start + SYNC_LIMITS.blob_content_bytes);
    return encrypt(this.#blobs, pad(zstdCompressSync(part, FAST)), `${this.#of} ${name}`);
  }

  openPiece(name: string, sealed: Uint8Array): Buffer | undefined {
    const padded = decrypt(this.#blobs, sealed, `${this.#of} ${name}`);
    const packed = padded && unpad(padded);
    return packed && zstdDecompressSync(packed, { maxOutputLength: SYNC_LIMITS.blob_content_bytes });
  }

  #name(text: string): string {
    return createHmac("sha256", this.#names).update(text).digest("hex");
  }
}

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** An empty content is one piece. */
function piecesOf(size: number): number {
  return Math.max(1, Math.ceil(size / SYNC_LIMITS.blob_content_bytes));
}
