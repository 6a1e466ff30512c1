import type { Refusal } from "@retake/core";
import { bytePath, type WorkspaceLock } from "@retake/workspace";
import { RefusedError } from "./thread-files.ts";
import { type Waiting, waitForLock } from "./wait-for-lock.ts";

/** Another process changes files here, or runs a turn. */
export interface Busy {
  readonly kind: "busy";
  readonly message: string;
}

/** Runs work as the only one that changes files in a workspace; see `holdWorkspace`. */
export type Hold = Holding & {
  /** Resolves when nothing goes on any more that nobody waits for (`WorkspaceLock.keepFor`). */
  settled(): Promise<void>;
};

type Holding = <T>(work: (lock: WorkspaceLock) => Promise<T>, signal?: AbortSignal) => Promise<T | Busy | Refusal>;

/**
 * Holds a workspace: turns, undo, branch and switch all do, whichever store their thread is in, and wait a
 * while for one another. What a killed process left half done is finished by `recover` before anything
 * else happens.
 */
export function holdWorkspace(
  { root, state, onWait }: { readonly root: string; readonly state: string } & Pick<Waiting, "onWait">,
  recover: (lock: WorkspaceLock) => Promise<void>,
): Hold {
  let rest: Promise<void> = Promise.resolve();
  const hold: Holding = async (work, signal) => {
    // Of the one before, in this process. Others are asked after, again and again.
    await rest;
    const lock = await waitForLock(state, bytePath(root), { onWait, signal });
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

export const BUSY: Busy = {
  kind: "busy",
  message: "Another Retake is working in this directory. Nothing was changed; try again when it is done.",
};
