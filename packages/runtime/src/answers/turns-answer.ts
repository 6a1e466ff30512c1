import { activeTake, awaitedApprovals, type History, recordsOf, runningTurn } from "@retake/core";
import type { QueuedTurn } from "../host/turn-queue.ts";

/** The turns of the active take, oldest first, with what they wait for; then those that wait for their turn. */
export function turnsAnswer({ state }: History, queued: readonly QueuedTurn[]) {
  const take = activeTake(state);
  const approvals = awaitedApprovals(state, take);
  // Behind a jump into the middle of a turn, its record is what it was then; nobody runs it.
  const running = runningTurn(state, take);
  const recorded = [...recordsOf(state, take, "turn")]
    .map(([id, record]) => ({
      ...(record as { prompt: string; status: string; started_at: string }),
      id,
      ...(record["status"] === "running" && running !== id ? { status: "interrupted" } : {}),
      approvals: approvals.filter(({ turn_id }) => turn_id === id).map(({ turn_id: _, ...approval }) => approval),
    }))
    .sort((a, b) => (a.started_at < b.started_at ? -1 : a.started_at > b.started_at ? 1 : a.id < b.id ? -1 : 1));
  const known = new Set(recorded.map(({ id }) => id));
  const waiting = queued
    .filter(({ id }) => !known.has(id))
    .map(({ thread: _, ...turn }) => ({ ...turn, approvals: [] }));
  return [...recorded, ...waiting];
}
