import type { AgentEvent } from "../agent-event.ts";
import type { AgentOutcome } from "../agent-outcome.ts";
import { type AgentState, IDLE_AGENT } from "../agent-state.ts";
import { transition } from "../transition.ts";
import { type Details, type EventKind, eventFor } from "./event-for.ts";

export type Move = EventKind | readonly [EventKind, Partial<Details>];

/** Plays events one after the other, each about the current work of the state. */
export function play(moves: readonly Move[], from: AgentState = IDLE_AGENT): AgentOutcome {
  let result: AgentOutcome = { state: from, effects: [] };
  for (const move of moves) {
    const [kind, details] = typeof move === "string" ? [move, {}] : move;
    result = transition(result.state, eventFor(result.state, kind, details));
  }
  return result;
}

/** The outcome of a transition in one line: the state, or why the event was ignored, and the effects. */
export function outline(result: AgentOutcome): string {
  const effects = result.effects.map(({ kind }) => kind).join(" ");
  if (result.ignored !== undefined) return `ignored: ${result.ignored}${effects && ` but ${effects}`}`;
  return effects === "" ? result.state.kind : `${result.state.kind}: ${effects}`;
}

export function outlineOf(state: AgentState, event: AgentEvent): string {
  return outline(transition(state, event));
}
