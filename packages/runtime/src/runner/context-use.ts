import { AI, type Entry } from "@retake/core";

/**
 * How many tokens a conversation has: as many as the provider counted at the model's last answer, in and out, and an
 * estimate of the entries since. Without a count everything is estimated.
 */
export function contextUse(conversation: Iterable<Entry>): number {
  const list = [...conversation];
  let newest = -1;
  for (const [index, { usage, ts }] of list.entries()) {
    if (usage !== undefined && ts >= (list[newest]?.ts ?? "")) newest = index;
  }
  const { role, usage } = list[newest] ?? {};
  // A summary has a count too, but the conversation that was sent for it is gone.
  if (role !== AI || usage === undefined) return estimated(list);
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  const counted = [input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens];
  return counted.reduce<number>((sum, each) => sum + (each ?? 0), estimated(list.slice(newest + 1)));
}

/** Four bytes are about one token, in most languages. */
export function estimated(entries: readonly Entry[]): number {
  const bytes = entries.map(({ content, failed }) => (failed === true ? 0 : Buffer.byteLength(content)));
  return Math.ceil(bytes.reduce((sum, each) => sum + each, 0) / 4);
}
