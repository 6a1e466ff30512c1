import { plural } from "./output.ts";

/** Tokens, apart by what they cost: read, from the provider's cache, written; and the cost where prices are known. */
export function used(usage: Readonly<Record<string, unknown>>, cost: number | undefined): string {
  const of = (name: string) => Number(usage[name] ?? 0);
  const cached = of("cache_read_input_tokens");
  const input = of("input_tokens") + cached + of("cache_creation_input_tokens");
  const parts = `${input} in${cached > 0 ? ` (${cached} cached)` : ""}, ${of("output_tokens")} out`;
  return `${plural(input + of("output_tokens"), "token")}: ${parts}${cost === undefined ? "" : `, ${dollars(cost)}`}`;
}

function dollars(cost: number): string {
  return `$${cost < 0.01 && cost > 0 ? cost.toPrecision(2) : cost.toFixed(2)}`;
}
