/** How much decompressed content is kept at hand. */
const mostBytes = 32 * 1024 * 1024;

/**
 * The blocks that were read last. Files that are restored together lie in few blocks, but not one
 * behind the other: without this a block would be decompressed again for each of its files.
 */
export class RecentBlocks {
  readonly #blocks = new Map<number, Buffer>();
  #bytes = 0;

  get(id: number): Buffer | undefined {
    const content = this.#blocks.get(id);
    if (!content) return undefined;
    // A map keeps its keys in the order they were set: the first is the one that was used longest ago.
    this.#blocks.delete(id);
    this.#blocks.set(id, content);
    return content;
  }

  add(id: number, content: Buffer): void {
    if (content.byteLength > mostBytes || this.#blocks.has(id)) return;
    this.#blocks.set(id, content);
    this.#bytes += content.byteLength;
    for (const [oldest, { byteLength }] of this.#blocks) {
      if (this.#bytes <= mostBytes) break;
      this.#blocks.delete(oldest);
      this.#bytes -= byteLength;
    }
  }

  clear(): void {
    this.#blocks.clear();
    this.#bytes = 0;
  }
}
