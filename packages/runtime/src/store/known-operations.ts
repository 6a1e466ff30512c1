import type { Operation } from "@retake/core";

/**
 * Recently read operations, already parsed. Walking back in history reads the same ones again and again. They are found
 * by the hash in their row, which covers their whole content: if a row changes, its old content is not found here.
 */
export class KnownOperations {
  readonly #known = new Map<string, { readonly operation: Operation; readonly size: number }>();
  #size = 0;

  get(hash: string): Operation | undefined {
    const known = this.#known.get(hash);
    if (!known) return undefined;
    // The last one in the map is removed last.
    this.#known.delete(hash);
    this.#known.set(hash, known);
    return known.operation;
  }

  /** `size`: the length of its text, which is about its size in memory. */
  add(hash: string, operation: Operation, size: number): void {
    if (size > LARGEST || this.#known.has(hash)) return;
    this.#known.set(hash, { operation, size });
    this.#size += size;
    for (const [oldest, known] of this.#known) {
      if (this.#size <= MOST) return;
      this.#known.delete(oldest);
      this.#size -= known.size;
    }
  }
}

const MOST = 8 * 1024 * 1024;
const LARGEST = MOST / 8;
