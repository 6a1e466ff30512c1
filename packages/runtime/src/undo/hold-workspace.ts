import type { Refusal } from "@retake/core";
import { bytePath, type WorkspaceLock } from "@retake/workspace";
import { RefusedError } from "./thread-files.ts";
import { type WaitOptions, waitForLock } from "./wait-for-lock.ts";

/** Another process is changing files here, or running a turn. */
export interface Busy {
  readonly kind: "busy";
  readonly message: string;
}

/** Runs work while no other process changes files in a workspace; see `holdWorkspace`. */
export type Hold = Holding & {
  /** Resolves when all background work has ended (`WorkspaceLock.keepFor`). */
  settled(): Promise<void>;
};

type Holding = <T>(work: (lock: WorkspaceLock) => Promise<T>, wait?: WaitOptions) => Promise<T | Busy | Refusal>;

/**
 * Holds a workspace. Turns, undo, branch and switch all do, whichever store their thread is in, and wait a while for
 * one another. First of all, `recover` completes what a killed process left unfinished.
 */
export function holdWorkspace(
  { root, state, onWait }: { readonly root: string; readonly state: string } & Pick<WaitOptions, "onWait">,
  recover: (lock: WorkspaceLock) => Promise<void>,
): Hold {
  let rest: Promise<void> = Promise.resolve();
  const hold: Holding = async (work, wait) => {
    // Wait for our own last flush; other processes are polled below.
    await rest;
    const lock = await waitForLock(state, bytePath(root), { onWait, ...wait });
    if (!lock) return BUSY;
    try {
      await recover(lock);
      return await work(lock);
    } catch (error) {
      if (error instanceof RefusedError) return error.refusal;
      throw error;
    } finally {
      rest = lock.release();
    }
  };
  return Object.assign(hold, { settled: () => rest });
}

export const WAITS = "Another Retake is working in this directory; waiting for it …";

export const BUSY: Busy = {
  kind: "busy",
  message:
    "Another Retake is working in this directory. Nothing was changed; try again when it is done, or end its turn: retake stop",
};
