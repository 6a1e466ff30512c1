import { describe, expect, test } from "vitest";
import type { ToolCall } from "../session/entry.ts";
import { type AgentState, IDLE_AGENT } from "./agent-state.ts";
import type { Effect } from "./effect.ts";
import { eventFor } from "./testing/event-for.ts";
import { outline, play } from "./testing/play.ts";
import { transition } from "./transition.ts";

function ofKind<Kind extends Effect["kind"]>(effects: readonly Effect[], kind: Kind) {
  return effects.filter((effect) => effect.kind === kind) as Extract<Effect, { kind: Kind }>[];
}

function respond(state: AgentState, calls: readonly ToolCall[], stop: "end" | "refused" | "length" = "end") {
  const event = eventFor(state, "model-responded");
  return transition(state, { ...event, calls, stop } as typeof event);
}

describe("a turn", () => {
  test("[L1] [AG10] derives the ids of its entries from its own, results in the order of the calls", () => {
    const started = play([["prompt-submitted", { turn_id: "t9" }]]);
    expect(started.effects).toEqual([
      {
        kind: "record-turn-started",
        turn_id: "t9",
        entry_id: "t9.prompt",
        prompt: "go",
        model: "scripted/default",
        at: 1000,
      },
      { kind: "call-model", turn_id: "t9", step: 1, attempt: 1, model: "scripted/default", entry_id: "t9.1" },
    ]);
    const answered = play([["model-responded", { calls: 3 }]], started.state);
    expect(ofKind(answered.effects, "record-tool-pending").map(({ entry_id }) => entry_id)).toEqual([
      "t9.1.1",
      "t9.1.2",
      "t9.1.3",
    ]);
  });

  test("[AG11] gives calls that share an id or have none unique ids", () => {
    const { state } = play(["prompt-submitted"]);
    const calls = ["a", "a", "", "a-2"].map((id) => ({ id, name: "read", input: {} }));
    const { effects } = respond(state, calls);
    const [finished] = ofKind(effects, "record-step-finished");
    const ids = ["a", "a-2", "call-3", "a-2-2"];
    expect(finished?.calls.map(({ id }) => id)).toEqual(ids);
    expect(ofKind(effects, "examine-calls")[0]?.calls.map(({ call_id }) => call_id)).toEqual(ids);
  });

  test("[AG11] a part of an answer leaves the same state object", () => {
    const { state } = play(["prompt-submitted"]);
    expect(transition(state, eventFor(state, "model-part-received")).state).toBe(state);
  });

  for (const [stop, status] of [
    ["end", "finished"],
    ["length", "cut-off"],
    ["refused", "refused"],
  ] as const) {
    test(`[AG7] [AG12] ends as ${status} when the model stops with '${stop}'`, () => {
      const { state } = play(["prompt-submitted"]);
      const { state: after, effects } = respond(state, [], stop);
      expect(after).toMatchObject({ kind: "waiting-for-input", last: { turn_id: "t2", steps: 1, status } });
      expect(ofKind(effects, "record-turn-finished")).toMatchObject([{ status }]);
    });
  }

  test("[AG12] runs none of the calls of a refused answer", () => {
    const { state } = play(["prompt-submitted"]);
    const result = respond(state, [{ id: "a", name: "write", input: {} }], "refused");
    expect(outline(result)).toBe("waiting-for-input: record-step-finished record-turn-finished");
    expect(ofKind(result.effects, "record-step-finished")).toMatchObject([{ calls: [] }]);
  });

  test("[AG13] continues with the next step after the hook, and sums the usage [AG14]", () => {
    const step = ["model-responded", "calls-examined", "tool-ended", "hook-finished"] as const;
    const second = play(["prompt-submitted", ...step]);
    expect(second.state).toMatchObject({ kind: "calling-model", turn: { step: 2, entry_id: "t2.2" }, attempt: 1 });
    const { effects } = play([...step, ["model-responded", { calls: 0 }]], second.state);
    expect(ofKind(effects, "record-turn-finished")).toMatchObject([
      { status: "finished", steps: 3, usage: { input_tokens: 30, output_tokens: 3 } },
    ]);
  });

  test("[AG13] ends as step-limit when its steps are used up", () => {
    const prompt = ["prompt-submitted", { max_steps: 1 }] as const;
    const result = play([prompt, "model-responded", "calls-examined", "tool-ended", "hook-finished"]);
    expect(outline(result)).toBe("waiting-for-input: record-turn-finished");
    expect(result.state).toMatchObject({ last: { status: "step-limit", steps: 1 } });
  });

  test("[AG2] invalid limits fall back to the defaults", () => {
    for (const limit of [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5]) {
      const { state } = play([["prompt-submitted", { max_steps: limit, max_retries: limit }]]);
      expect(state).toMatchObject({ turn: { max_steps: 200, max_retries: 8 } });
    }
  });

  test("[AG5] a new prompt starts the next turn", () => {
    const { state } = play(["prompt-submitted", ["model-responded", { calls: 0 }]]);
    expect(play([["prompt-submitted", { turn_id: "t3" }]], state).state.kind).toBe("calling-model");
    expect(IDLE_AGENT).toEqual({ kind: "waiting-for-input" });
  });
});
