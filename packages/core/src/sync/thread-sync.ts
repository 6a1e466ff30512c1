import type { ServerHead } from "./sync-values.ts";

/**
 * The state of a thread's sync on a device, stored beside the thread. The device also stores an outbox: the operations that
 * the server has not confirmed, each added in the transaction that commits the operation.
 *
 * `nextStep` decides what to do; the worker does it; `after-answer.ts` decides what its outcome means. An outcome is a new
 * state and what goes with it, to be stored in ONE transaction. One step of a thread is under way at a time, also among
 * several processes. After a crash the stored state is enough: every step can be repeated.
 *
 *     register ──▶ the thread has a key on the server
 *     pull     ──▶ segments after `pulled`, until `last_seq`
 *     push     ──▶ operations of the outbox, whatever others did meanwhile
 *     merge    ──▶ an operation in the outbox that joins the heads, made only by a device that has pushed
 */
export interface ThreadSync {
  /** The server has a wrapped key of the thread. */
  readonly registered: boolean;
  /** All segments up to this one are stored here. */
  readonly pulled: number;
  /** The server's last segment and heads, as far as this device knows. */
  readonly last_seq: number;
  readonly heads: readonly ServerHead[];
  /** The server may have lost data: pull from `pulled` on, whatever `last_seq` says. */
  readonly recheck: boolean;
  /** This device pushed when there were several heads, so it merges them. A device that only reads does not. */
  readonly merge: boolean;
  /** The readers of the thread besides the vault; absent: nobody. */
  readonly shared?: readonly string[];
  /**
   * The tree of the files on the disk of this machine, since pulls have moved the active take to another one; empty when
   * the thread is new here. A pull never writes a workspace. Absent: the take's tree is that of the disk.
   */
  readonly files_here?: string;
  readonly pull: Retry;
  readonly push: Retry;
  /** Why nothing more is tried until the user has done something. */
  readonly stop?: SyncStop;
}

export interface Retry {
  /** How often it has failed since it last succeeded. */
  readonly retries: number;
  /** Not before this time, by the clock of this device. */
  readonly next_try: number;
  readonly error?: SyncProblem;
}

export interface SyncProblem {
  readonly code: string;
  readonly message: string;
}

export interface SyncStop extends SyncProblem {
  /** `pull`: it still pushes. */
  readonly of: "all" | "pull";
}

export const NO_RETRY: Retry = { retries: 0, next_try: 0 };

export const NEW_THREAD: ThreadSync = {
  registered: false,
  pulled: 0,
  last_seq: 0,
  heads: [],
  recheck: false,
  merge: false,
  pull: NO_RETRY,
  push: NO_RETRY,
};

export type ThreadStep =
  | { readonly kind: "register" }
  | { readonly kind: "pull"; readonly after: number; readonly last_seq: number }
  | { readonly kind: "push" }
  | { readonly kind: "merge"; readonly heads: readonly ServerHead[] }
  | { readonly kind: "wait"; readonly until: number }
  | { readonly kind: "idle" }
  | { readonly kind: "stopped"; readonly stop: SyncStop };

/** The longest pause between two attempts. */
export const LONGEST_PAUSE_MS = 5 * 60_000;
/** The longest pause that a server can ask for. */
export const LONGEST_REQUESTED_PAUSE_MS = 60 * 60_000;

/** Decides the next step. `pending`: whether the outbox has operations of the thread. */
export function nextStep(thread: ThreadSync, { pending, now }: { pending: boolean; now: number }): ThreadStep {
  const { stop, registered, pulled, last_seq, recheck, heads } = thread;
  if (stop?.of === "all") return { kind: "stopped", stop };
  const behind = isBehind(thread);
  const pulls = behind && stop === undefined;
  if (pulls && isDue(thread.pull, now))
    return { kind: "pull", after: pulled, last_seq: recheck ? pulled : Math.max(last_seq, pulled) };
  if (pending && isDue(thread.push, now)) return registered ? { kind: "push" } : { kind: "register" };
  if (thread.merge && heads.length > 1 && !pending && !behind) return { kind: "merge", heads };
  const times = [...(pulls ? [thread.pull.next_try] : []), ...(pending ? [thread.push.next_try] : [])];
  if (times.length > 0) return { kind: "wait", until: Math.min(...times) };
  return stop ? { kind: "stopped", stop } : { kind: "idle" };
}

/** The server has segments that are not here. */
export function isBehind({ registered, recheck, last_seq, pulled }: ThreadSync): boolean {
  return registered && (recheck || last_seq > pulled);
}

/** A time that is too far ahead was set by a clock that was wrong then, or is wrong now. */
export function isDue({ next_try }: Retry, now: number): boolean {
  return next_try <= now || next_try > now + LONGEST_REQUESTED_PAUSE_MS + LONGEST_PAUSE_MS;
}
