import type { AgentEvent, ExaminedCall, ModelResponded } from "../agent-event.ts";
import { type AgentState, BUDGET, type NamedCall } from "../agent-state.ts";
import type { ApprovalMode } from "../approval-rule.ts";
import type { CallFacts } from "../decide-approval.ts";
import type { IoErrorCode, ModelErrorCode } from "../failure.ts";

export const EVENT_KINDS = [
  "prompt-submitted",
  "request-sent",
  "model-part-received",
  "model-responded",
  "model-failed",
  "calls-examined",
  "retry-due",
  "approval-given",
  "tool-progressed",
  "tool-ended",
  "hook-finished",
  "io-failed",
  "interrupt-requested",
  "shutdown-requested",
  "recovered",
] as const satisfies readonly AgentEvent["kind"][];

export type EventKind = AgentEvent["kind"];

/** The content of an event, besides the work it names. */
export type Details = {
  readonly turn_id: string;
  readonly calls: number;
  readonly stop: ModelResponded["stop"];
  readonly code: ModelErrorCode;
  readonly io: IoErrorCode;
  readonly retry_after_ms: number | undefined;
  readonly decision: "allow" | "allow-always" | "deny";
  readonly outcome: "completed" | "failed" | "interrupted";
  /** Index into the state's calls. */
  readonly which: number;
  /** One letter a call: `r`ead, `w`rite (asks), `a`llowed write, `o`utside, `d`enied, `p`roblem. */
  readonly examined: string;
  readonly mode: ApprovalMode;
  readonly questions: boolean;
  readonly max_steps: number;
  readonly max_retries: number;
  readonly at: number;
  readonly jitter: number;
};

const PLAIN: Details = {
  turn_id: "t2",
  calls: 1,
  stop: "tool-calls",
  code: "overloaded",
  io: "disk-full",
  retry_after_ms: undefined,
  decision: "allow",
  outcome: "completed",
  which: 0,
  examined: "r",
  mode: "ask",
  questions: true,
  max_steps: 5,
  max_retries: 3,
  at: 1000,
  jitter: 0.5,
};

/** An event of a kind, about the work that a state is doing. */
export function eventFor(state: AgentState, kind: EventKind, details: Partial<Details> = {}): AgentEvent {
  const say = { ...PLAIN, ...details };
  const { at, jitter } = say;
  const work = workOf(state);
  const { turn_id, step } = work;
  const call_id = callsOf(state)[say.which % Math.max(callsOf(state).length, 1)]?.call_id ?? "none";
  const ofCall = { turn_id, step, call_id };
  switch (kind) {
    case "prompt-submitted": {
      const { max_steps, max_retries } = say;
      const prompt = { turn_id: say.turn_id, prompt: "go", model: "scripted/default" };
      return { kind, ...prompt, max_steps, max_retries, at };
    }
    case "request-sent":
      return { kind, ...work, sent: { sent_markdown: "go" } };
    case "model-part-received":
      return { kind, ...work, part: { kind: "text", text: "abc" } };
    case "model-responded": {
      const calls = Array.from({ length: say.calls }, (_, index) => ({ id: `c${index + 1}`, name: "tool", input: {} }));
      return { kind, ...work, stop: say.stop, calls, usage: { input_tokens: 10, output_tokens: 1 }, at };
    }
    case "model-failed": {
      const after = say.retry_after_ms === undefined ? {} : { retry_after_ms: say.retry_after_ms };
      const over_budget = say.code === "over-budget" && say.questions ? { over_budget: OVER_BUDGET } : {};
      return { kind, ...work, code: say.code, message: "it failed", ...after, ...over_budget, at, jitter };
    }
    case "calls-examined": {
      const letters = [...say.examined];
      const calls = callsOf(state).map(({ call_id }, index) =>
        examinedCall(call_id, letters[index % letters.length] ?? "r"),
      );
      const policy = { mode: say.mode, rules: RULES, questions: say.questions };
      return { kind, ...work, calls, policy, at };
    }
    case "retry-due":
      return { kind, turn_id, step, retries: work.attempt, at };
    case "approval-given":
      return { kind, ...ofCall, decision: say.decision, at };
    case "tool-progressed":
      return { kind, ...ofCall, progress: { fraction: 0.5, message: "half", units: 3 } };
    case "tool-ended":
      return { kind, ...ofCall, outcome: say.outcome, content: "done", at };
    case "hook-finished":
      return { kind, turn_id, step, at };
    case "io-failed":
      return { kind, turn_id, step, code: say.io, message: "the disk is full", at, jitter };
    case "interrupt-requested":
      return { kind, turn_id, at };
    case "shutdown-requested":
    case "recovered":
      return { kind, at };
  }
}

export const OVER_BUDGET = { message: "it has cost 2", cost: 2, budget: 2, raised: 4 };

const RULES = [
  { tool: "tool", path: "allowed/*", decision: "allow" },
  { tool: "tool", path: "denied/*", decision: "deny" },
] as const;

export function examinedCall(call_id: string, letter: string): ExaminedCall {
  const fact = (path: string, writes: boolean, place: "workspace" | "outside" = "workspace"): CallFacts => ({
    writes,
    paths: [{ path, place }],
    irreversible: [],
  });
  const table: Record<string, ExaminedCall> = {
    r: { call_id, parallel: true, facts: fact("a", false) },
    w: { call_id, parallel: false, facts: fact("a", true) },
    a: { call_id, parallel: false, facts: fact("allowed/a", true) },
    o: { call_id, parallel: true, facts: fact("/etc/a", false, "outside") },
    d: { call_id, parallel: false, facts: fact("denied/a", true) },
    p: { call_id, parallel: false, facts: fact("a", false), problem: "There is no such tool." },
  };
  return table[letter] ?? { call_id, parallel: true, facts: fact("a", false) };
}

function workOf(state: AgentState): { turn_id: string; step: number; attempt: number } {
  if (state.kind === "waiting-for-input") return { turn_id: state.last?.turn_id ?? "none", step: 1, attempt: 1 };
  if (state.kind === "shutting-down") return { turn_id: "none", step: 1, attempt: 1 };
  const attempt = state.kind === "error" ? state.retries : "attempt" in state ? state.attempt : 1;
  return { turn_id: state.turn.turn_id, step: state.turn.step, attempt };
}

function callsOf(state: AgentState): readonly NamedCall[] {
  if (state.kind === "calling-model" && state.over_budget)
    return [{ call_id: BUDGET, name: BUDGET, entry_id: state.turn.entry_id }];
  if (state.kind === "processing-response") return state.calls;
  return state.kind === "executing-tools" ? state.executions : [];
}
