import { setTimeout as delay } from "node:timers/promises";
import { type BytePath, lockWorkspace, type WorkspaceLock } from "@retake/workspace";

/** How long others are waited for: an undo or a short turn is over by then, a long turn is not. */
const PATIENCE_MS = 5_000;
/** From when waiting is worth a word: an undo that was answered is flushed by then. */
const WORTH_TELLING_MS = 100;

export interface Waiting {
  /** Told once, when it turns out that somebody else works here. */
  readonly onWait?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The workspace's lock, as soon as it is free; undefined when somebody keeps it for long. */
export async function waitForLock(
  state: string,
  root: BytePath,
  { onWait, signal }: Waiting = {},
): Promise<WorkspaceLock | undefined> {
  const free = lockWorkspace(state, root);
  if (free) return free;
  // Only now: the clock is a part of Node that short commands need not load.
  const since = performance.now();
  let told = false;
  let pause = 10;
  for (let lock = lockWorkspace(state, root); ; lock = lockWorkspace(state, root)) {
    if (lock) return lock;
    const waited = performance.now() - since;
    if (waited > WORTH_TELLING_MS && !told) {
      told = true;
      onWait?.();
    }
    if (signal?.aborted || waited > PATIENCE_MS) return undefined;
    await delay(pause, undefined, signal ? { signal } : {}).catch(() => undefined);
    // Asking is cheap, but not free for a machine that is busy with somebody else's turn.
    pause = Math.min(pause * 1.5, 100);
  }
}
