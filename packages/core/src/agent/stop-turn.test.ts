import { describe, expect, test } from "vitest";
import { recoverAgent } from "./recover-agent.ts";
import { outline, play } from "./testing/play.ts";

/** Two readers run, a writer is pending. */
const working = play([
  "prompt-submitted",
  ["model-responded", { calls: 3 }],
  ["calls-examined", { examined: "rra" }],
]).state;
const hooked = play(["prompt-submitted", "model-responded", "calls-examined", "tool-ended"]).state;
const asked = play(["prompt-submitted", "model-responded", ["calls-examined", { examined: "w" }]]).state;

const INTERRUPTED = { kind: "waiting-for-input", last: { status: "interrupted" } };

describe("an interrupt", () => {
  test("[AG50] [AG51] closes pending calls, cancels running ones, and ends the turn when those have ended", () => {
    const stopping = play(["interrupt-requested"], working);
    expect(outline(stopping)).toBe("executing-tools: record-tool-ended cancel-tool cancel-tool");
    expect(stopping.effects[0]).toMatchObject({ call_id: "c3", outcome: "interrupted" });
    const one = play([["tool-ended", { which: 0, outcome: "interrupted" }]], stopping.state);
    expect(outline(one)).toBe("executing-tools: record-tool-ended");
    const both = play([["tool-ended", { which: 1 }]], one.state);
    expect(outline(both)).toBe("waiting-for-input: record-tool-ended record-turn-finished");
    expect(both.effects[0]).toMatchObject({ call_id: "c2", outcome: "completed" });
    expect(both.state).toMatchObject(INTERRUPTED);
  });

  test("[AG50] ends the turn at once when nothing runs", () => {
    const ended = play(["interrupt-requested"], asked);
    expect(outline(ended)).toBe("waiting-for-input: record-tool-ended record-turn-finished");
  });

  test("[AG51] waits for the hook", () => {
    const { state } = play(["interrupt-requested"], hooked);
    expect(state).toMatchObject({ kind: "post-tools-hook", ending: { status: "interrupted" } });
    expect(play(["hook-finished"], state).state).toMatchObject(INTERRUPTED);
  });

  test("[AG52] has no effect a second time", () => {
    for (const state of [working, hooked]) {
      expect(outline(play(["interrupt-requested", "interrupt-requested"], state))).toBe("ignored: already-ending");
      expect(outline(play(["interrupt-requested", "io-failed"], state))).toBe("ignored: already-ending");
    }
  });

  test("[AG50] keeps the received part of an answer", () => {
    const { effects } = play(["prompt-submitted", "model-part-received", "interrupt-requested"]);
    expect(effects).toMatchObject([
      { kind: "record-step-finished", entry_id: "t2.1", outcome: "interrupted", calls: [] },
      { kind: "record-turn-finished", status: "interrupted" },
      { kind: "cancel-model", attempt: 1 },
    ]);
  });
});

describe("a shutdown", () => {
  test("[AG53] ends the turn, then the agent", () => {
    for (const state of [working, hooked]) {
      const stopping = play(["shutdown-requested"], state);
      expect(stopping.state).toMatchObject({ kind: state.kind, ending: { status: "interrupted", shutdown: true } });
      expect(outline(play(["shutdown-requested"], stopping.state))).toBe("ignored: already-ending");
    }
    const ended = play(["shutdown-requested", "hook-finished"], hooked);
    expect(outline(ended)).toBe("shutting-down: record-turn-finished");
  });

  test("[AG53] may follow an interrupt while the turn is ending", () => {
    expect(play(["interrupt-requested", "shutdown-requested", "hook-finished"], hooked).state.kind).toBe(
      "shutting-down",
    );
  });
});

describe("recovery", () => {
  test("[L9] [AG60] [F13] running calls become unknown and say whether they may have run on, pending ones become interrupted, and nothing is run again", () => {
    const { state, effects } = recoverAgent(working, { kind: "recovered", ended: ["c1"], at: 9 });
    expect(effects).toMatchObject([
      {
        kind: "record-tool-ended",
        call_id: "c1",
        outcome: "unknown",
        content: expect.stringMatching(/not run again.*It was ended with Retake/),
      },
      {
        kind: "record-tool-ended",
        call_id: "c2",
        outcome: "unknown",
        content: expect.stringContaining("it may have run on"),
      },
      { kind: "record-tool-ended", call_id: "c3", outcome: "interrupted" },
      { kind: "record-turn-finished", turn_id: "t2", status: "interrupted", at: 9 },
    ]);
    expect(state).toMatchObject(INTERRUPTED);
  });

  test("[L9] [AG60] calls that had ended keep their outcome", () => {
    const { effects } = recoverAgent(play([["tool-ended", { which: 1 }]], working).state, { kind: "recovered", at: 9 });
    expect(effects.map((effect) => "call_id" in effect && effect.call_id)).toEqual(["c1", "c3", false]);
  });

  test("[L9] [AG61] does not repeat a model call, and keeps its partial answer", () => {
    const { state, effects } = recoverAgent(play(["prompt-submitted", "model-part-received"]).state, {
      kind: "recovered",
      at: 9,
    });
    expect(effects).toMatchObject([
      { kind: "record-step-finished", outcome: "interrupted" },
      { kind: "record-turn-finished", status: "interrupted" },
    ]);
    expect(state).toMatchObject(INTERRUPTED);
  });

  test("[L9] [AG61] a turn that was failing ends as failed; an agent that was shutting down waits for input", () => {
    const failing = play(["io-failed"], working).state;
    expect(recoverAgent(failing, { kind: "recovered", at: 9 }).state).toMatchObject({
      last: { status: "failed", failure: { origin: "io" } },
    });
    const closing = play(["shutdown-requested"], working).state;
    expect(recoverAgent(closing, { kind: "recovered", at: 9 }).state).toMatchObject(INTERRUPTED);
    expect(recoverAgent({ kind: "shutting-down" }, { kind: "recovered", at: 9 })).toEqual({
      state: { kind: "waiting-for-input" },
      effects: [],
    });
  });
});
