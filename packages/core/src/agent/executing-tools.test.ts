import { describe, expect, test } from "vitest";
import type { AgentState } from "./agent-state.ts";
import type { Effect } from "./effect.ts";
import { eventFor } from "./testing/event-for.ts";
import { type Move, outline, play } from "./testing/play.ts";
import { transition } from "./transition.ts";

/** A step whose calls are, letter by letter: read, write (asks), allowed write, outside, denied, problem. */
function calls(examined: string, ...moves: Move[]) {
  return play([
    "prompt-submitted",
    ["model-responded", { calls: examined.length }],
    ["calls-examined", { examined }],
    ...moves,
  ]);
}

const started = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "run-tool" ? [effect.call_id] : []));
const statuses = (state: AgentState) =>
  state.kind === "executing-tools"
    ? state.executions.map((each) => (each.status === "completed" ? each.outcome : each.status)).join(" ")
    : state.kind;
const ended = (which: number, outcome: "completed" | "failed" | "interrupted" = "completed"): Move => [
  "tool-ended",
  { which, outcome },
];
const answer = (which: number, decision: "allow" | "allow-always" | "deny"): Move => [
  "approval-given",
  { which, decision },
];

describe("the tools of a step", () => {
  test("[L2] [AG30] are recorded as started before they run", () => {
    expect(outline(calls("rr"))).toBe("executing-tools: record-tool-started record-tool-started run-tool run-tool");
  });

  test("[AG31] that only read run beside each other; one that writes waits for them, and is waited for", () => {
    const first = calls("rrar");
    expect(started(first.effects)).toEqual(["c1", "c2"]);
    const second = play([ended(1)], first.state);
    expect(started(second.effects)).toEqual([]);
    const third = play([ended(0)], second.state);
    expect(started(third.effects)).toEqual(["c3"]);
    expect(statuses(third.state)).toBe("completed completed running pending");
    expect(started(play([ended(2)], third.state).effects)).toEqual(["c4"]);
  });

  test("[AG31] a writer that waits for its approval holds back what comes after it, and only that", () => {
    const asked = calls("rwr");
    expect(statuses(asked.state)).toBe("running pending pending");
    expect(started(play([ended(0), answer(1, "allow"), ended(1)], asked.state).effects)).toEqual(["c3"]);
    expect(started(play([ended(0), answer(1, "deny")], asked.state).effects)).toEqual(["c3"]);
  });

  test("[AG31] a reader that waits for its approval holds back no other reader", () => {
    expect(statuses(calls("or").state)).toBe("pending running");
  });

  test("[AG25] a denied call is told to the model, the others go on, and so does the turn", () => {
    const asked = calls("ww", answer(0, "deny"));
    expect(statuses(asked.state)).toBe("denied pending");
    const both = play([answer(1, "deny")], asked.state);
    expect(outline(both)).toBe("post-tools-hook: record-tool-ended run-post-tools-hook");
    expect(both.effects[0]).toMatchObject({ outcome: "denied", content: "Denied by the user." });
    expect(calls("d").effects[0]).toMatchObject({ outcome: "denied", content: expect.stringContaining("rule") });
  });

  test("[AG24] `allow-always` records its rule and answers what waits for the same", () => {
    const { state, effects } = calls("wwo", answer(0, "allow-always"));
    expect(effects[0]).toMatchObject({
      kind: "record-approval-rule",
      rule: { tool: "tool", path: "a", decision: "allow" },
    });
    expect(state).toMatchObject({
      executions: [{ status: "running" }, { status: "pending", approval: "given" }, { approval: "awaited" }],
    });
  });

  test("[AG22] [AG24] `allow-always` on what is asked each time allows it this once", () => {
    const result = calls("o", answer(0, "allow-always"));
    expect(outline(result)).toBe("executing-tools: record-tool-started run-tool");
  });

  test("[AG32] a call that cannot run fails, and the model is told why", () => {
    const result = calls("pr");
    expect(statuses(result.state)).toBe("failed running");
    expect(result.effects[0]).toMatchObject({ kind: "record-tool-ended", content: "There is no such tool." });
    expect(outline(calls("p"))).toBe("post-tools-hook: record-tool-ended run-post-tools-hook");
  });

  test("[AG32] a call that was not examined does not run", () => {
    const { state } = play(["prompt-submitted", ["model-responded", { calls: 2 }]]);
    const examined = eventFor(state, "calls-examined");
    if (examined.kind !== "calls-examined") throw new Error("another event was asked for");
    const result = transition(state, { ...examined, calls: examined.calls.slice(1) });
    expect(statuses(result.state)).toBe("failed running");
  });

  test("[AG20] [AG22] --yes approves what writes, and not what leaves the workspace", () => {
    const approved = play([
      ["prompt-submitted", { approve_all: true }],
      ["model-responded", { calls: 2 }],
      ["calls-examined", { examined: "wo" }],
    ]);
    expect(outline(approved)).toBe("executing-tools: record-tool-started ask-approval run-tool");
  });

  test("[AG30] a result is recorded as the tool reported it", () => {
    const { state } = calls("r");
    const ended = { kind: "tool-ended", turn_id: "t2", step: 1, call_id: "c1", outcome: "failed", at: 1 } as const;
    const report = { content: "exit code 1", details: { exit_code: 1 } };
    expect(transition(state, { ...ended, ...report }).effects[0]).toMatchObject({
      kind: "record-tool-ended",
      entry_id: "t2.1.1",
      outcome: "failed",
      ...report,
    });
  });

  test("[L2] [AG33] progress is recorded and leaves the state as it is", () => {
    const { state } = calls("r");
    const result = play(["tool-progressed"], state);
    expect(result.state).toBe(state);
    expect(result.effects).toMatchObject([
      { kind: "record-tool-progress", call_id: "c1", progress: { fraction: 0.5, message: "half", units: 3 } },
    ]);
  });

  test("[X8] [AG22] what cannot be undone is named when it starts, asked about or not", () => {
    const { effects } = calls("o", answer(0, "allow"));
    const notices = [{ kind: "outside-workspace", path: "/etc/a" }];
    expect(effects[0]).toMatchObject({ kind: "record-tool-started", notices });
    expect(calls("o").effects).toMatchObject([{ kind: "record-agent" }, { kind: "ask-approval", notices }]);
    expect(calls("r").effects[0]).toMatchObject({ kind: "record-tool-started", notices: [] });
  });

  test("[AG25] a call that was approved cannot be denied any more", () => {
    const { state } = calls("ww", answer(1, "allow"));
    expect(outline(play([answer(1, "deny")], state))).toBe("ignored: not-expected");
  });

  test("[AG30] a failed tool is a result like another", () => {
    expect(outline(calls("r", ended(0, "failed")))).toBe("post-tools-hook: record-tool-ended run-post-tools-hook");
  });

  test("[AG6] what has ended does not end again, nor is it asked about", () => {
    const { state } = calls("rr", ended(0));
    for (const late of [ended(0), answer(0, "allow"), ["tool-progressed", { which: 0 }] as const]) {
      expect(outline(play([late], state))).toBe("ignored: not-expected");
    }
  });
});
