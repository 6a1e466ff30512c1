import { setTimeout as delay } from "node:timers/promises";
import { type BytePath, lockWorkspace, type WorkspaceLock } from "@retake/workspace";

/** How long to wait for others: an undo or a short turn is over by then, a long turn is not. */
const PATIENCE_MS = 5_000;
/** The wait before the user is told; the flush of an earlier undo is usually over by then. */
const WORTH_TELLING_MS = 100;

export interface WaitOptions {
  /** Called once, when another process turns out to hold the lock. */
  readonly onWait?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the workspace's lock as soon as it is free; undefined if another process keeps it for long. */
export async function waitForLock(
  state: string,
  root: BytePath,
  { onWait, signal }: WaitOptions = {},
): Promise<WorkspaceLock | undefined> {
  const free = lockWorkspace(state, root);
  if (free) return free;
  // Only now: short commands need not load this part of Node.
  const since = performance.now();
  let isLong = false;
  let pause = 10;
  for (let lock = lockWorkspace(state, root); ; lock = lockWorkspace(state, root)) {
    if (lock) return lock;
    const waited = performance.now() - since;
    if (waited > WORTH_TELLING_MS && !isLong) {
      isLong = true;
      onWait?.();
    }
    if (signal?.aborted || waited > PATIENCE_MS) return undefined;
    await delay(pause, undefined, signal ? { signal } : {}).catch(() => undefined);
    // Polling is cheap, but not free for a machine that is busy with another turn.
    pause = Math.min(pause * 1.5, 100);
  }
}
