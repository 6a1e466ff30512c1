/** Limits how often somebody may ask: `burst` at once, and `per_second` for long. In memory: each process has its own. */
export class TokenBuckets {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor({ burst, per_second }: { readonly burst: number; readonly per_second: number }) {
    this.#burst = burst;
    this.#perSecond = per_second;
  }

  /** Takes a token. When there is none, returns after how many milliseconds there is one. */
  take(name: string, now: number): number {
    const known = this.#buckets.get(name);
    // After the clock was set back, a bucket of the future would stay as it is until then.
    const { tokens, at } = known && known.at <= now ? known : { tokens: this.#burst, at: now };
    const filled = Math.min(this.#burst, tokens + ((now - at) / 1000) * this.#perSecond);
    if (filled < 1) return Math.ceil(((1 - filled) / this.#perSecond) * 1000);
    this.#buckets.set(name, { tokens: filled - 1, at: now });
    // Full buckets need not be remembered.
    if (this.#buckets.size > 100_000) this.#forget(now);
    return 0;
  }

  #forget(now: number): void {
    const full = (this.#burst / this.#perSecond) * 1000;
    for (const [name, { at }] of this.#buckets) if (now - at > full) this.#buckets.delete(name);
  }
}
