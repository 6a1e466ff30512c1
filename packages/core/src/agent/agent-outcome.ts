import type { AgentState } from "./agent-state.ts";
import type { Action, Effect, RecordEffect } from "./effect.ts";

export type AgentOutcome = {
  readonly state: AgentState;
  /** Records first, actions after them [AG3]. */
  readonly effects: readonly Effect[];
  /** Why the event changed nothing. `state` is then the given one, and there are no effects. */
  readonly ignored?: IgnoredReason;
};

export type IgnoredReason =
  /** No turn runs. */
  | "no-turn"
  /** A turn is running, and only one can. */
  | "turn-running"
  /** The event belongs to another turn, step or attempt than the running one. */
  | "stale-turn"
  | "stale-step"
  | "stale-attempt"
  /** The step has no such call. */
  | "unknown-call"
  /** The work that the event reports is not awaited in this state. */
  | "not-expected"
  /** The turn is already ending. */
  | "already-ending"
  | "nothing-to-recover"
  | "shutting-down";

export function moved(
  state: AgentState,
  records: readonly RecordEffect[] = [],
  actions: readonly Action[] = [],
): AgentOutcome {
  return { state, effects: [...records, ...actions] };
}

export function ignored(state: AgentState, reason: IgnoredReason): AgentOutcome {
  return { state, effects: [], ignored: reason };
}
