import { AI, type Entry, entries, type State, type TakeId } from "@retake/core";

/**
 * How many tokens the conversation had at the model's last answer, in and out, as counted by the provider. Undefined
 * when nothing was counted yet, or not since the last summary.
 */
export function contextUse(state: State, take: TakeId): number | undefined {
  let newest: Entry | undefined;
  for (const entry of entries(state, take)) {
    if (entry.usage !== undefined && (newest === undefined || entry.ts >= newest.ts)) newest = entry;
  }
  // A summary has a count too, but the conversation that was sent for it is gone.
  if (newest?.role !== AI || newest.usage === undefined) return undefined;
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = newest.usage;
  const counted = [input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens];
  return counted.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}
