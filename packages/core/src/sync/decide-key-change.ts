import type { KeyChange } from "./sync-calls.ts";
import { refuseSync, type SyncRefusal } from "./sync-refusal.ts";

export interface KeyFacts {
  readonly kid: string | null;
  /** The threads that are not deleted, and the devices that are not revoked. */
  readonly threads: readonly string[];
  readonly devices: readonly string[];
  /** The device that changes the key. It has the key, so none has to be sealed for it. */
  readonly device: string;
}

/**
 * Decides whether a vault gets a new key. It must be made from the present one, with every thread key and for every
 * device; otherwise a thread or a device would be lost.
 */
export function decideKeyChange(change: KeyChange, facts: KeyFacts): SyncRefusal | undefined {
  if (change.previous !== facts.kid)
    return refuseSync("stale-key", "The vault has another key by now. Nothing was changed.");
  const wrapped = new Set(change.threads.map(({ thread }) => thread));
  const threads = facts.threads.filter((thread) => !wrapped.has(thread));
  if (threads.length > 0)
    return refuseSync("stale-key", "The vault has threads whose keys were not wrapped anew. Nothing was changed.", {
      threads,
    });
  const sealed = new Set(change.devices.map(({ device }) => device));
  if (facts.devices.some((device) => device !== facts.device && !sealed.has(device)))
    return refuseSync("stale-key", "The vault has devices that would not get the new key. Nothing was changed.");
  return undefined;
}
