import { SYNC_LIMITS } from "./limits.ts";

/** Larger segments compress better, and smaller ones are repeated at less cost. */
const ENOUGH_BYTES = 1024 * 1024;

/** The first of the pending operations, in their order, that go into the next segment: at least one. */
export function* firstForSegment<T>(pending: Iterable<T>, sizeOf: (operation: T) => number): Generator<T> {
  let [count, bytes] = [0, 0];
  for (const operation of pending) {
    bytes += sizeOf(operation);
    if (count > 0 && bytes > ENOUGH_BYTES) return;
    yield operation;
    count += 1;
    if (count === SYNC_LIMITS.segment_operations) return;
  }
}
