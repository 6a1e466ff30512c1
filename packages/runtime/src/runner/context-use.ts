import { AI, type Entry, entries, type State, type TakeId } from "@retake/core";

/**
 * How many tokens the conversation took when the model last answered: what the provider counted, in and
 * out. Undefined where nothing was counted since the conversation was compressed, or ever.
 */
export function contextUse(state: State, take: TakeId): number | undefined {
  let newest: Entry | undefined;
  for (const entry of entries(state, take)) {
    if (entry.usage !== undefined && (newest === undefined || entry.ts >= newest.ts)) newest = entry;
  }
  // A summary is counted too, but what was sent for it is not there any more.
  if (newest?.role !== AI || newest.usage === undefined) return undefined;
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = newest.usage;
  const counted = [input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens];
  return counted.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}
