import type { Operation } from "@retake/core";

/**
 * Recently read operations, already parsed. Walking back in history reads the same ones again and again. They are found
 * by the hash in their row, which covers their whole content: if a row changes, its old content is not found here.
 */
export class KnownOperations {
  readonly #operations = new Map<string, { readonly operation: Operation; readonly size: number }>();
  #size = 0;

  get(hash: string): Operation | undefined {
    const known = this.#operations.get(hash);
    if (!known) return undefined;
    // The last one in the map is removed last.
    this.#operations.delete(hash);
    this.#operations.set(hash, known);
    return known.operation;
  }

  /** `size`: the length of its text, which is about its size in memory. */
  add(hash: string, operation: Operation, size: number): void {
    if (size > LARGEST || this.#operations.has(hash)) return;
    this.#operations.set(hash, { operation, size });
    this.#size += size;
    if (this.#size > MOST + SLACK) this.#dropOldest();
  }

  #dropOldest(): void {
    for (const [oldest, known] of this.#operations) {
      if (this.#size <= MOST) return;
      this.#operations.delete(oldest);
      this.#size -= known.size;
    }
  }
}

const MOST = 8 * 1024 * 1024;
/** Many are dropped at once: each walk from the start of the map passes the places of all that were dropped before. */
const SLACK = MOST / 8;
const LARGEST = MOST / 8;
