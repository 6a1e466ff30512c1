import type { AgentState } from "./agent-state.ts";
import type { Action, Effect, RecordEffect } from "./effect.ts";

export type AgentOutcome = {
  readonly state: AgentState;
  /** Records first, actions after them [AG3]. */
  readonly effects: readonly Effect[];
  /** Why the event changed nothing. Then `state` is the one that was given, and there are no effects. */
  readonly ignored?: IgnoredReason;
};

export type IgnoredReason =
  /** No turn runs. */
  | "no-turn"
  /** A turn runs, and only one can. */
  | "turn-running"
  /** It belongs to another turn, step or attempt than the one that runs. */
  | "stale-turn"
  | "stale-step"
  | "stale-attempt"
  /** The step has no such call. */
  | "unknown-call"
  /** It says nothing new about this state: the work it speaks of is not awaited. */
  | "not-expected"
  /** The turn is being ended already. */
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
