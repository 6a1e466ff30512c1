import type { AgentEvent } from "./agent-event.ts";
import type { IgnoredReason } from "./agent-outcome.ts";
import type { RunningTurn } from "./agent-state.ts";

/** An event about the work of one step. Each state decides these in its own file. */
export type WorkEvent = Extract<AgentEvent, { readonly step: number }>;

/** Whether an event belongs to work that the agent no longer expects, or not yet. */
export function staleness(
  turn: RunningTurn,
  event: { readonly turn_id: string; readonly step?: number },
): IgnoredReason | undefined {
  if (event.turn_id !== turn.turn_id) return "stale-turn";
  if (event.step !== undefined && event.step !== turn.step) return "stale-step";
  return undefined;
}
