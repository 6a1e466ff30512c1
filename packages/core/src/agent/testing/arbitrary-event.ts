import fc from "fast-check";
import type { AgentEvent } from "../agent-event.ts";
import type { AgentState } from "../agent-state.ts";
import { MODEL_ERRORS, type ModelErrorCode } from "../failure.ts";
import { type Details, EVENT_KINDS, type EventKind, eventFor } from "./event-for.ts";

/** An event without its target: it is aimed at some work when the state it meets is known. */
export type Aimed = { readonly kind: EventKind; readonly details: Details; readonly aim: "here" | keyof typeof MISSES };

export function aim({ kind, details, aim }: Aimed, state: AgentState): AgentEvent {
  const event = eventFor(state, kind, details);
  if (aim === "here" || kind === "prompt-submitted") return event;
  return MISSES[aim](event);
}

const MISSES = {
  turn: (event: AgentEvent): AgentEvent => ("turn_id" in event ? { ...event, turn_id: "t0" } : event),
  step: (event: AgentEvent): AgentEvent => ("step" in event ? { ...event, step: event.step - 1 } : event),
  attempt: (event: AgentEvent): AgentEvent => ("attempt" in event ? { ...event, attempt: event.attempt - 1 } : event),
  call: (event: AgentEvent): AgentEvent => ("call_id" in event ? { ...event, call_id: "gone" } : event),
};

const details: fc.Arbitrary<Details> = fc.record({
  turn_id: fc.constantFrom("t1", "t2", "t3", "t4", "t5"),
  calls: fc.nat(4),
  stop: fc.constantFrom("end", "tool-calls", "length", "refused"),
  code: fc.constantFrom(...(Object.keys(MODEL_ERRORS) as ModelErrorCode[])),
  io: fc.constantFrom("disk-full", "busy", "failed"),
  retry_after_ms: fc.constantFrom(undefined, undefined, 0, 3000, 900_000),
  decision: fc.constantFrom("allow", "allow-always", "deny"),
  outcome: fc.constantFrom("completed", "failed", "interrupted"),
  which: fc.nat(3),
  examined: fc.string({ unit: fc.constantFrom("r", "w", "a", "o", "d", "p"), minLength: 1, maxLength: 4 }),
  mode: fc.constantFrom("undoable" as const, "ask" as const, "all" as const),
  questions: fc.boolean(),
  max_steps: fc.integer({ min: 1, max: 4 }),
  max_retries: fc.integer({ min: 0, max: 3 }),
  at: fc.nat(1_000_000),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** Mostly events that continue the work; otherwise a walk would seldom get far. */
const weights: Partial<Record<EventKind, number>> = {
  "prompt-submitted": 6,
  "model-responded": 6,
  "calls-examined": 6,
  "tool-ended": 8,
  "approval-given": 6,
  "hook-finished": 6,
  "retry-due": 4,
  "shutdown-requested": 1,
  recovered: 1,
  "interrupt-requested": 1,
  "io-failed": 1,
};

export const anEvent: fc.Arbitrary<Aimed> = fc.record({
  kind: fc.oneof(...EVENT_KINDS.map((kind) => ({ weight: weights[kind] ?? 2, arbitrary: fc.constant(kind) }))),
  details,
  aim: fc.oneof(
    { weight: 12, arbitrary: fc.constant("here" as const) },
    { weight: 1, arbitrary: fc.constantFrom("turn" as const, "step" as const, "attempt" as const, "call" as const) },
  ),
});
