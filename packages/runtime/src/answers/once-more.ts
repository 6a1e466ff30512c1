import { StoreError } from "@retake/workspace";

/**
 * What is read to tell of something that is committed. A disk that fails for a moment must not make it look as if it
 * had not been done, so that is tried once more.
 */
export function onceMore<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError) return read();
    throw error;
  }
}
