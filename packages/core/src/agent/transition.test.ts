import { describe, expect, test } from "vitest";
import type { AgentState } from "./agent-state.ts";
import { EVENT_KINDS, type EventKind, eventFor } from "./testing/event-for.ts";
import { outlineOf, play } from "./testing/play.ts";
import { transition } from "./transition.ts";

/** A state of every kind, reached as the runtime would reach it. */
const STATES = {
  "waiting-for-input": play([
    ["prompt-submitted", { turn_id: "t1" }],
    ["model-responded", { calls: 0 }],
  ]).state,
  "calling-model": play(["prompt-submitted"]).state,
  "processing-response": play(["prompt-submitted", "model-responded"]).state,
  "executing-tools": play(["prompt-submitted", "model-responded", "calls-examined"]).state,
  "post-tools-hook": play(["prompt-submitted", "model-responded", "calls-examined", "tool-ended"]).state,
  error: play(["prompt-submitted", "model-failed"]).state,
  "shutting-down": play(["shutdown-requested"]).state,
} as const satisfies Record<AgentState["kind"], AgentState>;

const LATE = "ignored: not-expected";
const NONE = "ignored: no-turn";
const BUSY = "ignored: turn-running";
const DOWN = "ignored: shutting-down";

/** Every event about the state's own work, in every state. The types ensure that no cell is missing. */
const TABLE: Record<AgentState["kind"], Record<EventKind, string>> = {
  "waiting-for-input": {
    "prompt-submitted": "calling-model: record-turn-started call-model",
    "request-sent": NONE,
    "model-part-received": NONE,
    "model-responded": NONE,
    "model-failed": NONE,
    "calls-examined": NONE,
    "retry-due": NONE,
    "approval-given": NONE,
    "tool-progressed": NONE,
    "tool-ended": NONE,
    "hook-finished": NONE,
    "io-failed": NONE,
    "interrupt-requested": NONE,
    "shutdown-requested": "shutting-down",
    recovered: "ignored: nothing-to-recover",
  },
  "calling-model": {
    "prompt-submitted": BUSY,
    "request-sent": "calling-model: record-request",
    "model-part-received": "calling-model: record-step-part",
    "model-responded": "processing-response: record-step-finished record-tool-pending examine-calls",
    "model-failed": "error: record-agent notify-retry wait-for-retry",
    "calls-examined": LATE,
    "retry-due": LATE,
    "approval-given": LATE,
    "tool-progressed": LATE,
    "tool-ended": LATE,
    "hook-finished": LATE,
    "io-failed": "error: cancel-model notify-retry wait-for-retry",
    "interrupt-requested": "waiting-for-input: record-step-finished record-turn-finished cancel-model",
    "shutdown-requested": "shutting-down: record-step-finished record-turn-finished cancel-model",
    recovered: "waiting-for-input: record-step-finished record-turn-finished",
  },
  "processing-response": {
    "prompt-submitted": BUSY,
    "request-sent": LATE,
    "model-part-received": LATE,
    "model-responded": LATE,
    "model-failed": LATE,
    "calls-examined": "executing-tools: record-tool-started run-tool",
    "retry-due": LATE,
    "approval-given": LATE,
    "tool-progressed": LATE,
    "tool-ended": LATE,
    "hook-finished": LATE,
    "io-failed": "error: notify-retry wait-for-retry",
    "interrupt-requested": "waiting-for-input: record-tool-ended record-turn-finished",
    "shutdown-requested": "shutting-down: record-tool-ended record-turn-finished",
    recovered: "waiting-for-input: record-tool-ended record-turn-finished",
  },
  "executing-tools": {
    "prompt-submitted": BUSY,
    "request-sent": LATE,
    "model-part-received": LATE,
    "model-responded": LATE,
    "model-failed": LATE,
    "calls-examined": LATE,
    "retry-due": LATE,
    "approval-given": LATE,
    "tool-progressed": "executing-tools: record-tool-progress",
    "tool-ended": "post-tools-hook: record-tool-ended run-post-tools-hook",
    "hook-finished": LATE,
    "io-failed": "executing-tools: cancel-tool",
    "interrupt-requested": "executing-tools: record-agent cancel-tool",
    "shutdown-requested": "executing-tools: record-agent cancel-tool",
    recovered: "waiting-for-input: record-tool-ended record-turn-finished",
  },
  "post-tools-hook": {
    "prompt-submitted": BUSY,
    "request-sent": LATE,
    "model-part-received": LATE,
    "model-responded": LATE,
    "model-failed": LATE,
    "calls-examined": LATE,
    "retry-due": LATE,
    "approval-given": LATE,
    "tool-progressed": LATE,
    "tool-ended": LATE,
    "hook-finished": "calling-model: record-agent call-model",
    "io-failed": "post-tools-hook",
    "interrupt-requested": "post-tools-hook: record-agent",
    "shutdown-requested": "post-tools-hook: record-agent",
    recovered: "waiting-for-input: record-turn-finished",
  },
  error: {
    "prompt-submitted": BUSY,
    "request-sent": LATE,
    "model-part-received": LATE,
    "model-responded": LATE,
    "model-failed": LATE,
    "calls-examined": LATE,
    "retry-due": "calling-model: record-step-discarded call-model",
    "approval-given": LATE,
    "tool-progressed": LATE,
    "tool-ended": LATE,
    "hook-finished": LATE,
    "io-failed": "error: cancel-retry notify-retry wait-for-retry",
    "interrupt-requested": "waiting-for-input: record-step-finished record-turn-finished cancel-retry",
    "shutdown-requested": "shutting-down: record-step-finished record-turn-finished cancel-retry",
    recovered: "waiting-for-input: record-step-finished record-turn-finished",
  },
  "shutting-down": {
    "prompt-submitted": DOWN,
    "request-sent": DOWN,
    "model-part-received": DOWN,
    "model-responded": DOWN,
    "model-failed": DOWN,
    "calls-examined": DOWN,
    "retry-due": DOWN,
    "approval-given": DOWN,
    "tool-progressed": DOWN,
    "tool-ended": DOWN,
    "hook-finished": DOWN,
    "io-failed": DOWN,
    "interrupt-requested": DOWN,
    "shutdown-requested": DOWN,
    recovered: "waiting-for-input",
  },
};

const cells = Object.entries(STATES).flatMap(([kind, state]) => EVENT_KINDS.map((event) => ({ kind, state, event })));

describe("the table of states and events", () => {
  test("[L1] [AG1] has all seven states and all events", () => {
    expect(cells).toHaveLength(7 * 15);
    for (const [kind, state] of Object.entries(STATES)) expect(state.kind).toBe(kind);
  });

  for (const { kind, state, event } of cells) {
    const expected = TABLE[state.kind][event];
    test(`[L1] [AG1] ${kind} + ${event} → ${expected}`, () => {
      expect(outlineOf(state, eventFor(state, event))).toBe(expected);
    });
  }

  for (const { kind, state, event } of cells) {
    if (!("turn" in state)) continue;
    const late = eventFor(state, event);
    if (!("turn_id" in late) || late.kind === "prompt-submitted") continue;
    test(`[AG4] ${kind} ignores ${event} of another turn, step or attempt`, () => {
      expect(outlineOf(state, { ...late, turn_id: "t0" })).toBe("ignored: stale-turn");
      if (!("step" in late)) return;
      expect(outlineOf(state, { ...late, step: 7 })).toBe("ignored: stale-step");
      if ("attempt" in late)
        expect(transition(state, { ...late, attempt: 7 }).ignored).toMatch(/stale-attempt|not-expected/);
      if ("call_id" in late)
        expect(transition(state, { ...late, call_id: "x" }).ignored).toMatch(/unknown-call|not-expected/);
    });
  }

  test("[AG4] a retry ignores the stream that it replaces", () => {
    const { state } = play(["prompt-submitted", "model-failed", "retry-due"]);
    const late = eventFor(state, "model-part-received");
    expect(outlineOf(state, { ...late, attempt: 1 } as typeof late)).toBe("ignored: stale-attempt");
    expect(outlineOf(state, late)).toBe("calling-model: record-step-part");
  });

  test("[AG5] a prompt that arrives twice starts one turn", () => {
    const { state } = play(["prompt-submitted", ["model-responded", { calls: 0 }]]);
    expect(outlineOf(state, eventFor(state, "prompt-submitted"))).toBe("ignored: stale-turn");
  });
});
