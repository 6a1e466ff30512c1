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

  test("[AG31] readers run beside each other; a writer waits for them, and later calls wait for the writer", () => {
    const first = calls("rrar");
    expect(started(first.effects)).toEqual(["c1", "c2"]);
    const second = play([ended(1)], first.state);
    expect(started(second.effects)).toEqual([]);
    const third = play([ended(0)], second.state);
    expect(started(third.effects)).toEqual(["c3"]);
    expect(statuses(third.state)).toBe("completed completed running pending");
    expect(started(play([ended(2)], third.state).effects)).toEqual(["c4"]);
  });

  test("[AG31] a writer that waits for approval holds back only the calls after it", () => {
    const asked = calls("rwr");
    expect(statuses(asked.state)).toBe("running pending pending");
    expect(started(play([ended(0), answer(1, "allow"), ended(1)], asked.state).effects)).toEqual(["c3"]);
    expect(started(play([ended(0), answer(1, "deny")], asked.state).effects)).toEqual(["c3"]);
  });

  test("[AG31] a reader that waits for approval holds back no other reader", () => {
    expect(statuses(calls("or").state)).toBe("pending running");
  });

  test("[AG25] after a denial the model is told, and the other calls and the turn continue", () => {
    const asked = calls("ww", answer(0, "deny"));
    expect(statuses(asked.state)).toBe("denied pending");
    const both = play([answer(1, "deny")], asked.state);
    expect(outline(both)).toBe("post-tools-hook: record-tool-ended run-post-tools-hook");
    expect(both.effects[0]).toMatchObject({ outcome: "denied", content: "Denied by the user." });
    expect(calls("d").effects[0]).toMatchObject({ outcome: "denied", content: expect.stringContaining("rule") });
  });

  test("[AG24] `allow-always` adds its rule and answers the other calls that wait for the same rule", () => {
    const { state, effects } = calls("wwo", answer(0, "allow-always"));
    expect(effects.find(({ kind }) => kind === "add-rule")).toMatchObject({
      rule: { tool: "tool", path: "a", decision: "allow" },
    });
    expect(state).toMatchObject({
      executions: [{ status: "running" }, { status: "pending", approval: "given" }, { approval: "awaited" }],
    });
  });

  test("[AG24] the questions of a step are numbered", () => {
    const asked = calls("wrow").effects.filter((effect) => effect.kind === "ask-approval");
    expect(asked).toMatchObject([
      { call_id: "c1", number: 1, of: 3 },
      { call_id: "c3", number: 2, of: 3 },
      { call_id: "c4", number: 3, of: 3 },
    ]);
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

  test("[AG26] without questions what would be asked about is denied, and the model is told why", () => {
    const unasked = play([
      "prompt-submitted",
      ["model-responded", { calls: 2 }],
      ["calls-examined", { examined: "wo", mode: "undoable", questions: false }],
    ]);
    expect(statuses(unasked.state)).toBe("running denied");
    expect(unasked.effects[0]).toMatchObject({
      kind: "record-tool-ended",
      outcome: "denied",
      content: expect.stringMatching(/^Denied: .*outside of the workspace: \/etc\/a/),
    });
  });

  test("[AG25] a denial where nobody could be asked says so, and not that the user denied", () => {
    const { state } = calls("w");
    const event = eventFor(state, "approval-given", { decision: "deny" });
    const { effects } = transition(state, { ...event, reason: "there is no terminal." } as typeof event);
    expect(effects[0]).toMatchObject({ outcome: "denied", content: "Denied: there is no terminal." });
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

  test("[L2] [AG33] progress is recorded and does not change the state", () => {
    const { state } = calls("r");
    const result = play(["tool-progressed"], state);
    expect(result.state).toBe(state);
    expect(result.effects).toMatchObject([
      { kind: "record-tool-progress", call_id: "c1", progress: { fraction: 0.5, message: "half", units: 3 } },
    ]);
  });

  test("[X8] [AG22] effects that cannot be undone are named when the call starts, asked about or not", () => {
    const { effects } = calls("o", answer(0, "allow"));
    const notices = [{ kind: "outside-workspace", path: "/etc/a" }];
    expect(effects[0]).toMatchObject({ kind: "record-tool-started", notices });
    expect(calls("o").effects).toMatchObject([{ kind: "record-agent" }, { kind: "ask-approval", notices }]);
    expect(calls("r").effects[0]).toMatchObject({ kind: "record-tool-started", notices: [] });
  });

  test("[AG25] an approved call cannot be denied afterwards", () => {
    const { state } = calls("ww", answer(1, "allow"));
    expect(outline(play([answer(1, "deny")], state))).toBe("ignored: not-expected");
  });

  test("[AG30] a failed tool gives a result like any other", () => {
    expect(outline(calls("r", ended(0, "failed")))).toBe("post-tools-hook: record-tool-ended run-post-tools-hook");
  });

  test("[AG6] a call that has ended neither ends again nor is asked about again", () => {
    const { state } = calls("rr", ended(0));
    for (const late of [ended(0), answer(0, "allow"), ["tool-progressed", { which: 0 }] as const]) {
      expect(outline(play([late], state))).toBe("ignored: not-expected");
    }
  });
});
