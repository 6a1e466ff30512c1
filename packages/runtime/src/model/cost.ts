import type { Usage } from "@retake/core";

export interface Price {
  readonly input?: number;
  readonly output?: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

/** The cost in dollars, by the model's prices; undefined when a needed price is not known. */
export function costOf(usage: Usage, price: Price | undefined): number | undefined {
  if (!price) return undefined;
  let cost = 0;
  for (const [tokens, each] of [
    [usage.input_tokens, price.input],
    [usage.output_tokens, price.output],
    // Providers without a separate price for cached tokens charge them like other input.
    [usage.cache_read_input_tokens, price.cache_read ?? price.input],
    [usage.cache_creation_input_tokens, price.cache_write ?? price.input],
  ] as const) {
    if (tokens === undefined || tokens === 0) continue;
    if (each === undefined) return undefined;
    cost += (tokens * each) / 1_000_000;
  }
  return cost;
}
