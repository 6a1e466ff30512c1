import type { Operation } from "@retake/core";

/**
 * Operations that were read lately, as they are used. Walking history back reads the same ones again and again, and
 * what one of them says is not made out twice. They are known by the hash that their row has now, which is over all
 * that they say: whatever became of a row, nothing is found here that is not in the store.
 */
export class KnownOperations {
  readonly #known = new Map<string, { readonly operation: Operation; readonly size: number }>();
  #size = 0;

  get(hash: string): Operation | undefined {
    const known = this.#known.get(hash);
    if (!known) return undefined;
    // The last in line is the last to go.
    this.#known.delete(hash);
    this.#known.set(hash, known);
    return known.operation;
  }

  /** `size`: of its text, which is about what it takes in memory. */
  add(hash: string, operation: Operation, size: number): void {
    if (size > largest || this.#known.has(hash)) return;
    this.#known.set(hash, { operation, size });
    this.#size += size;
    for (const [oldest, known] of this.#known) {
      if (this.#size <= most) return;
      this.#known.delete(oldest);
      this.#size -= known.size;
    }
  }
}

const most = 8 * 1024 * 1024;
const largest = most / 8;
