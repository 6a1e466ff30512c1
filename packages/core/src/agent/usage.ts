import type { Usage } from "../session/entry.ts";

/** The usage of a turn is the sum over its steps; a number that no step reported stays absent. */
export function addUsage(total: Usage, step: Usage): Usage {
  const sums: Record<string, number> = {};
  for (const key of COUNTS) {
    const counts = [total[key], step[key]].filter((count) => Number.isFinite(count)) as number[];
    if (counts.length > 0) sums[key] = counts.reduce((sum, count) => sum + count, 0);
  }
  return sums;
}

const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const satisfies readonly (keyof Usage)[];
