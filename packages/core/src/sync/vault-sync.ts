import { afterChange, afterLoss, later, type Moment, type ThreadOutcome } from "./after-answer.ts";
import type { SyncOutcome } from "./sync-http.ts";
import { NO_RETRY, type Retry, type SyncStop, type ThreadSync } from "./thread-sync.ts";

/** The state of a vault's sync on a device. */
export interface VaultSync {
  /** How far the device has read the list of changes. */
  readonly cursor?: string;
  /**
   * Changes that answers have named. Every request carries them, and its answer replaces those that the request carried:
   * the server has checked them. Several are there only while requests overlap.
   */
  readonly seen: readonly string[];
  readonly poll: Retry;
  readonly stop?: SyncStop;
}

export const NEW_VAULT: VaultSync = { seen: [], poll: NO_RETRY };

/** The meaning of an outcome of a thread for the vault; stored in the same transaction. `sent`: what the request carried. */
export function vaultAfter(vault: VaultSync, sent: readonly string[], outcome: ThreadOutcome): VaultSync {
  const next = outcome.seen === undefined ? vault : { ...vault, seen: seenAfter(vault.seen, sent, outcome.seen) };
  return outcome.stop_vault ? { ...next, stop: outcome.stop_vault } : next;
}

export interface VaultOutcome {
  readonly vault: VaultSync;
  /** New states of threads, to be stored in the transaction that stores the vault. */
  readonly threads: ReadonlyMap<string, ThreadOutcome>;
  /** The wrapped keys of threads that the answer names. */
  readonly keys: ReadonlyMap<string, string>;
  /** Ask again at once: there is more. */
  readonly more: boolean;
}

/** The meaning of a list of changes. `threads` are all threads whose sync this device knows something of. */
export function afterChanges(
  vault: VaultSync,
  threads: ReadonlyMap<string, ThreadSync>,
  sent: readonly string[],
  outcome: SyncOutcome<"listChanges">,
  at: Moment,
): VaultOutcome {
  if (outcome.kind !== "answer") {
    const code = outcome.kind === "refused" ? outcome.code : "no-answer";
    if (code === "rewound") return afterRewind(threads);
    const { message } = outcome;
    const requested = outcome.kind === "refused" ? outcome.details?.retry_after_ms : undefined;
    const next = { ...vault, poll: { ...later(vault.poll, at, requested), error: { code, message } } };
    const stops = ["unauthorized", "revoked", "newer-version", "not-found"].includes(code);
    const stopped = stops ? { ...next, stop: { of: "all", code, message } as const } : next;
    return { vault: stopped, threads: new Map(), keys: new Map(), more: false };
  }
  const { answer } = outcome;
  const changed = answer.threads.map((change) => {
    const thread = afterChange(threads.get(change.thread), change);
    return [change.thread, { thread, confirm: [], requeue: false, store: 0 }] as const;
  });
  return {
    vault: { cursor: answer.next, seen: seenAfter(vault.seen, sent, answer.change), poll: NO_RETRY },
    threads: new Map(changed),
    keys: new Map(answer.threads.map(({ thread, wrapped_key }) => [thread, wrapped_key])),
    more: answer.more,
  };
}

/** The server was restored from an older backup: every thread is read again, and sent again where that is needed. */
export function afterRewind(threads: ReadonlyMap<string, ThreadSync>): VaultOutcome {
  const lost = [...threads].map(([id, thread]) => [id, afterLoss(thread)] as const);
  return { vault: NEW_VAULT, threads: new Map(lost), keys: new Map(), more: true };
}

function seenAfter(seen: readonly string[], sent: readonly string[], now: string): string[] {
  return [...new Set([...seen.filter((each) => !sent.includes(each)), now])];
}
