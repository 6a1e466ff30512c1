/**
 * The ids of the entries that a turn writes. They are derived from the turn's id, so the agent needs no source of new
 * ids, and an entry's id is known before the entry is written.
 */
export function promptEntryId(turnId: string): string {
  return `${turnId}.prompt`;
}

export function stepEntryId(turnId: string, step: number): string {
  return `${turnId}.${step}`;
}

/** `position` counts the calls of the step from 1. */
export function resultEntryId(turnId: string, step: number, position: number): string {
  return `${turnId}.${step}.${position}`;
}
