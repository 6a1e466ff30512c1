import { SYNC_LIMITS } from "./limits.ts";

/** Larger segments compress better, and smaller ones are repeated at less cost. */
const ENOUGH_BYTES = 1024 * 1024;

/** How many of the pending operations, in their order, go into the next segment: at least one. */
export function countForSegment(sizes: Iterable<number>): number {
  let [count, bytes] = [0, 0];
  for (const size of sizes) {
    bytes += size;
    if (count > 0 && (bytes > ENOUGH_BYTES || count === SYNC_LIMITS.segment_operations)) break;
    count += 1;
  }
  return count;
}
