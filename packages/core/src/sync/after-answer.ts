import type { OperationId } from "../session/operation.ts";
import { retryDelay } from "../values/retry-delay.ts";
import type { PulledSegments, ThreadChange } from "./sync-calls.ts";
import type { NoAnswer, SyncOutcome } from "./sync-http.ts";
import type { SyncRefusal, SyncRefusalCode } from "./sync-refusal.ts";
import type { ServerHead } from "./sync-values.ts";
import {
  isBehind,
  LONGEST_PAUSE_MS,
  LONGEST_REQUESTED_PAUSE_MS,
  NEW_THREAD,
  NO_RETRY,
  type Retry,
  type SyncStop,
  type ThreadStep,
  type ThreadSync,
} from "./thread-sync.ts";

/** The meaning of an outcome for a thread. The device stores all of it in one transaction. */
export interface ThreadOutcome {
  readonly thread: ThreadSync;
  /** Delete these operations from the outbox: the server has them. */
  readonly confirm: readonly OperationId[];
  /** Put every operation of the thread into the outbox again: the server has lost data. */
  readonly requeue: boolean;
  /** The number of pulled segments to store, counted from the first. */
  readonly store: number;
  /** The last change of the vault that the answer named. */
  readonly seen?: string;
  /** The server has lost data of the vault: see `afterRewind`. */
  readonly rewound?: true;
  /** Nothing of the vault can be synced until the user has done something. */
  readonly stop_vault?: SyncStop;
}

/** When it is, and a random number from 0 to 1. */
export interface Moment {
  readonly now: number;
  readonly jitter: number;
}

export function afterRegister(thread: ThreadSync, outcome: SyncOutcome<"registerThread">, at: Moment): ThreadOutcome {
  if (outcome.kind !== "answer") return afterFailure(thread, "push", outcome, at);
  const { answer } = outcome;
  return { ...outcomeOf({ ...seen(thread, answer), registered: true, push: NO_RETRY }), seen: answer.change };
}

export function afterPush(
  thread: ThreadSync,
  sent: { readonly segment: string; readonly operations: readonly OperationId[] },
  outcome: SyncOutcome<"pushSegment">,
  at: Moment,
): ThreadOutcome {
  if (outcome.kind !== "answer") return afterFailure(thread, "push", outcome, at);
  const { answer } = outcome;
  const next = seen(thread, answer);
  // The server has only our own segment after those that are stored here.
  const isNext = answer.segment === sent.segment && answer.seq === thread.pulled + 1;
  return {
    ...outcomeOf({
      ...next,
      pulled: isNext ? answer.seq : thread.pulled,
      merge: next.heads.length > 1,
      push: NO_RETRY,
    }),
    confirm: sent.operations,
    seen: answer.change,
  };
}

/** A pulled segment after the device has decrypted it, and checked its hashes and parents. */
export type ReadSegment =
  /** `own`: this device sent it, and may not have heard the answer. */
  | { readonly kind: "read"; readonly operations: readonly OperationId[]; readonly own: boolean }
  | {
      readonly kind: "unreadable";
      readonly code: "newer-version" | "damaged" | "unknown-parents";
      readonly message: string;
    };

/** `segments` are those of the answer, in their order, at least up to the first that is unreadable. */
export function afterPull(
  thread: ThreadSync,
  sent: Extract<ThreadStep, { kind: "pull" }>,
  outcome: SyncOutcome<"pullSegments">,
  segments: readonly ReadSegment[],
  at: Moment,
): ThreadOutcome {
  if (outcome.kind !== "answer") return afterFailure(thread, "pull", outcome, at);
  const { answer } = outcome;
  if (answer.last_seq < sent.last_seq) return afterLoss(thread);
  if (hasGap(answer, sent.after))
    return failed(thread, "pull", { code: "server-failure", message: "The server left out segments." }, at);
  const bad = segments.findIndex(({ kind }) => kind === "unreadable");
  const store = bad < 0 ? segments.length : bad;
  const read = segments.slice(0, store).filter((each) => each.kind === "read");
  const confirm = read.flatMap(({ operations }) => operations);
  const now = seen(thread, answer);
  const merge = now.heads.length > 1 && (now.merge || read.some(({ own }) => own));
  const next = { ...now, merge, pulled: sent.after + store, recheck: false };
  const taken = { confirm, store, seen: answer.change };
  const problem = segments[store];
  if (problem?.kind !== "unreadable") return { ...outcomeOf({ ...next, pull: NO_RETRY }), ...taken };
  const { code, message } = problem;
  // The records stored here do not fit the server's numbers: read the thread from its first segment.
  if (code === "unknown-parents") return { ...failed({ ...next, pulled: 0 }, "pull", problem, at), ...taken };
  return { ...outcomeOf({ ...next, stop: { of: "pull", code, message } }), ...taken };
}

/** A step of the thread threw: a disk that is full, or data that cannot be read. Other threads go on. */
export function afterFault(thread: ThreadSync, message: string, at: Moment): ThreadSync {
  return failed(thread, isBehind(thread) ? "pull" : "push", { code: "failed", message }, at).thread;
}

/** The merge of all heads is stored and in the outbox. */
export function afterMerge(thread: ThreadSync): ThreadSync {
  return { ...thread, merge: false };
}

/**
 * The user has asked for everything. A device that only reads then merges too: a device that pushed and was switched off
 * before it merged would leave the others with one of the heads.
 */
export function afterAsked(thread: ThreadSync): ThreadSync {
  return thread.heads.length > 1 ? { ...thread, merge: true } : thread;
}

/** The list of changes names the thread. The list may be older than what another answer said. */
export function afterChange(thread: ThreadSync | undefined, change: ThreadChange): ThreadSync {
  const known = thread ?? NEW_THREAD;
  if (change.deleted) return afterRemoval(known);
  const { shared: _, ...rest } = seen(known, change);
  return { ...rest, registered: true, ...(change.shared && { shared: change.shared }) };
}

/** A device has removed the thread from the server. What waits in the outbox stays here. */
export function afterRemoval(thread: ThreadSync): ThreadSync {
  return { ...thread, stop: { of: "all", code: "gone", message: "The thread was removed from the server." } };
}

/** The server has lost data: all operations go to the outbox again, and a pull confirms those that it has. */
export function afterLoss(thread: ThreadSync): ThreadOutcome {
  const next = { ...thread, pulled: 0, last_seq: 0, heads: [], recheck: thread.registered, merge: false };
  return { ...outcomeOf(next), requeue: true };
}

/** The reaction of a device to each refusal, where it is more than to try again later. */
const STOPS_VAULT: ReadonlySet<SyncRefusalCode> = new Set(["unauthorized", "revoked", "wrong-key", "newer-version"]);
const STOPS_THREAD: ReadonlySet<SyncRefusalCode> = new Set(["other-content", "gone", "too-large"]);

function afterFailure(
  thread: ThreadSync,
  doing: "pull" | "push",
  failure: SyncRefusal | NoAnswer,
  at: Moment,
): ThreadOutcome {
  if (failure.kind === "no-answer") return failed(thread, doing, { code: "no-answer", message: failure.message }, at);
  const { code, message, details } = failure;
  if (STOPS_VAULT.has(code)) return { ...failed(thread, doing, failure, at), stop_vault: { of: "all", code, message } };
  if (STOPS_THREAD.has(code)) return outcomeOf({ ...thread, stop: { of: "all", code, message } });
  if (code === "rewound") return { ...outcomeOf(thread), rewound: true };
  const retry = failed(thread, doing, failure, at, details?.retry_after_ms);
  if (code === "unknown-thread") return afterLoss({ ...retry.thread, registered: false });
  if (code === "missing" && details?.parents?.length) return afterLoss(retry.thread);
  return retry;
}

function failed(
  thread: ThreadSync,
  doing: "pull" | "push",
  { code, message }: { readonly code: string; readonly message: string },
  at: Moment,
  requested?: number,
): ThreadOutcome {
  return outcomeOf({ ...thread, [doing]: { ...later(thread[doing], at, requested), error: { code, message } } });
}

/** The next attempt: exponential with full jitter, and not before the time that the server asked for. */
export function later({ retries }: Retry, { now, jitter }: Moment, requested?: number): Retry {
  const policy = { base_ms: 1000, cap_ms: LONGEST_PAUSE_MS, longest_wait_ms: LONGEST_REQUESTED_PAUSE_MS };
  const asked = requested === undefined ? {} : { retry_after_ms: Math.min(requested, LONGEST_REQUESTED_PAUSE_MS) };
  const delay = retryDelay({ retries: retries + 1, jitter, ...asked }, policy);
  return { retries: retries + 1, next_try: now + (delay.kind === "wait" ? delay.delay_ms : LONGEST_PAUSE_MS) };
}

/** Heads count only with the highest number: answers may arrive in another order than they were made. */
function seen(
  thread: ThreadSync,
  { last_seq, heads }: { readonly last_seq: number; readonly heads: readonly ServerHead[] },
): ThreadSync {
  if (last_seq < thread.last_seq) return thread;
  return { ...thread, last_seq, heads, merge: thread.merge && heads.length > 1 };
}

function hasGap({ segments, last_seq }: PulledSegments, after: number): boolean {
  if (segments.length === 0) return last_seq > after;
  return segments.some(({ seq }, index) => seq !== after + index + 1);
}

function outcomeOf(thread: ThreadSync): ThreadOutcome {
  return { thread, confirm: [], requeue: false, store: 0 };
}
