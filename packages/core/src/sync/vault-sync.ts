import { afterChange, afterLoss, later, type Moment, type ThreadOutcome } from "./after-answer.ts";
import type { SyncOutcome } from "./sync-http.ts";
import { NO_RETRY, type Retry, type SyncStop, type ThreadSync } from "./thread-sync.ts";

/** The state of a vault's sync on a device: how far it has read the list of changes. */
export interface VaultSync {
  readonly cursor?: string;
  readonly poll: Retry;
  readonly stop?: SyncStop;
}

export const NEW_VAULT: VaultSync = { poll: NO_RETRY };

export interface VaultOutcome {
  readonly vault: VaultSync;
  /** New states of threads, to be stored in the transaction that stores the cursor. */
  readonly threads: ReadonlyMap<string, ThreadOutcome>;
  /** The wrapped keys of threads that the answer names. */
  readonly keys: ReadonlyMap<string, string>;
  /** Ask again at once: there is more. */
  readonly more: boolean;
}

/** What a list of changes means. `threads` are all threads that this device knows of. */
export function afterChanges(
  vault: VaultSync,
  threads: ReadonlyMap<string, ThreadSync>,
  outcome: SyncOutcome<"listChanges">,
  at: Moment,
): VaultOutcome {
  const nothing = { threads: new Map(), keys: new Map(), more: false };
  if (outcome.kind !== "answer") {
    const code = outcome.kind === "refused" ? outcome.code : "no-answer";
    const { message } = outcome;
    const requested = outcome.kind === "refused" ? outcome.details?.retry_after_ms : undefined;
    const next = { ...vault, poll: { ...later(vault.poll, at, requested), error: { code, message } } };
    const stops = ["unauthorized", "revoked", "newer-version", "not-found"].includes(code);
    return { vault: stops ? { ...next, stop: { of: "all", code, message } } : next, ...nothing };
  }
  const { answer } = outcome;
  if (answer.rewound) {
    const lost = [...threads].map(([id, thread]) => [id, afterLoss(thread)] as const);
    return { ...nothing, vault: { poll: NO_RETRY }, threads: new Map(lost), more: true };
  }
  const changed = answer.threads.map((change) => {
    const thread = afterChange(threads.get(change.thread), change);
    return [change.thread, { thread, confirm: [], requeue: false, store: 0 }] as const;
  });
  return {
    vault: { cursor: answer.next, poll: NO_RETRY },
    threads: new Map(changed),
    keys: new Map(answer.threads.map(({ thread, wrapped_key }) => [thread, wrapped_key])),
    more: answer.more,
  };
}
