import { setImmediate, setTimeout } from "node:timers/promises";

/** Waits until the time is over or `signal` ends it. Even without a time it yields to other work. Returns whether to go on. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    if (milliseconds > 0) await setTimeout(milliseconds, undefined, { signal });
    else await setImmediate(undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return !signal.aborted;
}
