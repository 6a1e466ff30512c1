import { refuseSync, type SyncRefusal } from "./sync-refusal.ts";

/**
 * Each change of a vault has a number and a mark, which is random. A cursor names both. When the server was restored from
 * an older backup, the number is unknown or has another mark, even if other devices have made new changes since.
 *
 * A device relies on every answer: after a push, operations leave its outbox. So every answer names the last change, and
 * the device sends it with its next requests (`seen`). A server that does not know it refuses, before it does anything.
 */
export interface ChangeMark {
  readonly change: number;
  readonly mark: string;
}

const START = "0";

export function cursorOf({ change, mark }: ChangeMark): string {
  return change > 0 ? `${change}.${mark}` : START;
}

/** The number in a cursor, so that the server can look up its mark. */
export function changeOf(cursor: string | undefined): number {
  const number = Number(/^(\d{1,15})(?:\.|$)/.exec(cursor ?? START)?.[1]);
  return Number.isSafeInteger(number) ? number : 0;
}

/** Decides whether the server still has all changes that the device has seen. `markOf` looks up the marks of changes. */
export function decideSeen(
  seen: readonly (string | undefined)[],
  markOf: (change: number) => string | undefined,
): SyncRefusal | undefined {
  const isKnown = (cursor: string | undefined) => {
    const change = changeOf(cursor);
    return change === 0 || cursor === cursorOf({ change, mark: markOf(change) ?? "?" });
  };
  if (seen.every(isKnown)) return undefined;
  return refuseSync("rewound", "The server has lost changes that this device has seen. Nothing was stored.");
}
