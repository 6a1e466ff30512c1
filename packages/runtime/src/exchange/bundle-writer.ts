import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { type BundleHeader, type BundleLine, FRAME_BYTES } from "./bundle-format.ts";

/** Compresses lines as they come: memory holds the compressed part, and one uncompressed frame. */
export class BundleWriter {
  readonly #frames: Buffer[] = [];
  readonly #hash = createHash("sha256");
  #open: Buffer[] = [];
  #length = 0;

  write(line: BundleHeader | BundleLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    this.#hash.update(bytes);
    this.#put(bytes);
  }

  /** The whole file, with the hash in its last line. */
  finish(): Buffer {
    this.#put(Buffer.from(`${JSON.stringify({ kind: "end", hash: this.#hash.digest("hex") } satisfies BundleLine)}\n`));
    this.#close();
    return Buffer.concat(this.#frames);
  }

  #put(bytes: Buffer): void {
    for (let start = 0; start < bytes.length; ) {
      const piece = bytes.subarray(start, start + FRAME_BYTES - this.#length);
      this.#open.push(piece);
      this.#length += piece.length;
      start += piece.length;
      if (this.#length === FRAME_BYTES) this.#close();
    }
  }

  #close(): void {
    if (this.#length > 0) this.#frames.push(zstdCompressSync(Buffer.concat(this.#open)));
    [this.#open, this.#length] = [[], 0];
  }
}
