/**
 * Checks the order of entries: two entries that were once seen together never change places, in any take, however often
 * they went and came back.
 */
export class OrderOracle {
  /** For each entry, the ones that were seen after it. */
  readonly #behind = new Map<string, Set<string>>();
  readonly #lastSeen = new Map<string, string>();

  /** Returns two entries that have changed places, or undefined. */
  see(take: string, order: readonly string[]): [string, string] | undefined {
    const text = order.join(" ");
    if (this.#lastSeen.get(take) === text) return undefined;
    this.#lastSeen.set(take, text);
    for (let at = 0; at < order.length; at += 1) {
      const first = order[at] as string;
      const behind = this.#behind.get(first) ?? new Set<string>();
      this.#behind.set(first, behind);
      for (const second of order.slice(at + 1)) {
        if (this.#behind.get(second)?.has(first)) return [first, second];
        behind.add(second);
      }
    }
    return undefined;
  }
}
