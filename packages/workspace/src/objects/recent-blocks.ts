/** How much decompressed content is kept in memory. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The blocks that were read last. Files that are restored together lie in few blocks, but not in order: without this
 * cache a block would be decompressed again for each of its files.
 *
 * A map and a sum instead of the library `lru-cache`, here and in `known-operations`, `known-threads` and
 * `answer-cache`: every command would load its 19 kB, about 2 ms, to save 15 lines in each. Producing a cached value
 * takes far longer than a look-up.
 */
export class RecentBlocks {
  readonly #blocks = new Map<number, Buffer>();
  #bytes = 0;

  get(id: number): Buffer | undefined {
    const content = this.#blocks.get(id);
    if (!content) return undefined;
    // A map keeps its keys in the order of insertion: the first one is the least recently used.
    this.#blocks.delete(id);
    this.#blocks.set(id, content);
    return content;
  }

  add(id: number, content: Buffer): void {
    if (content.byteLength > MOST_BYTES || this.#blocks.has(id)) return;
    this.#blocks.set(id, content);
    this.#bytes += content.byteLength;
    for (const [oldest, { byteLength }] of this.#blocks) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#blocks.delete(oldest);
      this.#bytes -= byteLength;
    }
  }

  clear(): void {
    this.#blocks.clear();
    this.#bytes = 0;
  }
}
