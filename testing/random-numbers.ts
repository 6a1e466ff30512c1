/** Random numbers that are the same for one seed, on any machine (mulberry32). */
export class RandomNumbers {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1, without 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error("there is nothing to pick from");
    return values[this.below(values.length)] as T;
  }

  /** True in so many of a hundred cases. */
  percent(count: number): boolean {
    return this.below(100) < count;
  }
}
