import { StoreError } from "@retake/workspace";

/**
 * Repeats a failed read once. The read describes a committed change: a disk that fails for a moment must not make the
 * change look undone.
 */
export function onceMore<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError) return read();
    throw error;
  }
}
