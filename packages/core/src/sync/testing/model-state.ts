import type { SyncCall, SyncInput } from "../sync-calls.ts";
import type { ThreadStep, ThreadSync } from "../thread-sync.ts";
import type { VaultSync } from "../vault-sync.ts";

/** A device: what it has stored, as an immutable value, and what it waits for, which a crash forgets. */
export interface ModelDevice {
  readonly name: string;
  readonly kid: string;
  readonly vault: VaultSync;
  readonly threads: ReadonlyMap<string, ModelThread>;
  /** How many operations its user has made. */
  readonly made: number;
  /** One request under way for each lane: the vault, and each thread. */
  readonly waiting: ReadonlyMap<string, Waiting>;
}

export interface ModelThread {
  /** In the order in which they were stored. */
  readonly known: ReadonlySet<string>;
  readonly head: string | null;
  readonly outbox: readonly string[];
  readonly sync: ThreadSync;
}

export interface RequestId {
  readonly id: number;
  readonly call: SyncCall;
}

export interface Waiting extends RequestId {
  /** The operations that the request carried. */
  readonly seen?: readonly string[];
  readonly step?: ThreadStep;
  readonly push?: SyncInput<"pushSegment">;
}

/** The marker of a thread that never leaves its device. */
export const PRIVATE = "private";

export function isPrivate(thread: string): boolean {
  return thread.startsWith(PRIVATE);
}
