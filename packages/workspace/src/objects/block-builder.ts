import { constants, zstdCompressSync } from "node:zlib";
import type { Hash } from "../model/model.ts";
import type { NewBlock } from "./object-index.ts";

/** A block without a place in a pack yet. */
export interface Unplaced {
  readonly bytes: Buffer;
  readonly block: Omit<NewBlock, "pack" | "offset">;
}

/**
 * A block is decompressed as a whole, also for one of its objects: restored files often lie in as many blocks. Larger blocks
 * take a little less space and no less time to compress.
 */
const BLOCK_BYTES = 64 * 1024;
/** The memory of so large a chunk goes back to the system at once; that of smaller ones stays with the process, in pieces. */
const OUTPUT_CHUNK = 256 * 1024;

/**
 * Collects objects until there are enough for one zstd call, which costs more than compressing a small file. Copies
 * them into one buffer, which is reused for the next block: otherwise a first capture would leave one buffer per file
 * to the garbage collector.
 */
export class BlockBuilder {
  #buffer = Buffer.allocUnsafe(0);
  #length = 0;
  #objects = new Map<Hash, { hash: Hash; start: number; size: number }>();

  get full(): boolean {
    return this.#length >= BLOCK_BYTES;
  }

  has(hash: Hash): boolean {
    return this.#objects.has(hash);
  }

  add(hash: Hash, content: Uint8Array): void {
    const size = content.byteLength;
    if (this.#length + size > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length + size, this.#buffer.length * 2, 16 * 1024));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(content, this.#length);
    this.#objects.set(hash, { hash, start: this.#length, size });
    this.#length += size;
  }

  /** Returns a view that is valid until the next `add` or `clear`. */
  content(hash: Hash): Buffer | undefined {
    const object = this.#objects.get(hash);
    return object && this.#buffer.subarray(object.start, object.start + object.size);
  }

  hashes(): Iterable<Hash> {
    return this.#objects.keys();
  }

  get empty(): boolean {
    return this.#objects.size === 0;
  }

  /** Returns the collected objects as a block; the builder is empty afterwards. */
  take(): Unplaced {
    const content = this.#buffer.subarray(0, this.#length);
    const params = { [constants.ZSTD_c_compressionLevel]: 1 };
    const bytes = zstdCompressSync(content, { chunkSize: OUTPUT_CHUNK, params });
    const objects = [...this.#objects.values()];
    const block = { length: bytes.byteLength, size: this.#length, base: undefined, depth: 0, objects };
    this.clear();
    return { bytes, block };
  }

  clear(): void {
    this.#length = 0;
    this.#objects = new Map();
    // Does not keep the memory of one large file for ever.
    if (this.#buffer.length > 4 * BLOCK_BYTES) this.#buffer = Buffer.allocUnsafe(0);
  }
}
