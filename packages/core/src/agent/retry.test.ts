import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { DEFAULT_RETRY_POLICY, retryDelay } from "../values/retry-delay.ts";
import { MODEL_ERRORS, type ModelErrorCode } from "./failure.ts";
import { eventFor } from "./testing/event-for.ts";
import { outline, outlineOf, play } from "./testing/play.ts";
import { transition } from "./transition.ts";

const codes = Object.keys(MODEL_ERRORS) as ModelErrorCode[];
const { base_ms, cap_ms, longest_wait_ms } = DEFAULT_RETRY_POLICY;

describe("retries", () => {
  for (const code of codes) {
    const { retryable } = MODEL_ERRORS[code];
    const leftOut = code === "invalid-signature" || code === "invalid-image" || code === "empty-answer";
    test(`[AG40] ${code} ${retryable || leftOut ? "is tried again" : "ends the turn, with what to do"}`, () => {
      const { state } = play(["prompt-submitted", ["model-failed", { code, questions: false }]]);
      const failure = { origin: "model", code, message: "it failed", advice: expect.stringMatching(/\w/) };
      if (leftOut) expect(state).toMatchObject({ kind: "calling-model", attempt: 2 });
      else if (retryable) expect(state).toMatchObject({ kind: "error", failure, retries: 1, retry_at: 1500 });
      else expect(state).toMatchObject({ last: { status: code === "refused" ? "refused" : "failed", failure } });
    });
  }

  test("[AG47] a budget that is used up is asked about before anything is sent; the answer goes on or ends the turn", () => {
    const { state } = play(["prompt-submitted", ["model-failed", { code: "over-budget", questions: true }]]);
    expect(state).toMatchObject({ kind: "calling-model", attempt: 1, over_budget: { raised: 4 } });
    const answered = (decision: "allow" | "deny") => outlineOf(state, eventFor(state, "approval-given", { decision }));
    expect(answered("allow")).toBe("calling-model: record-agent raise-budget call-model");
    expect(answered("deny")).toBe("waiting-for-input: record-step-finished record-turn-finished");
    expect(outlineOf(state, eventFor(state, "interrupt-requested"))).toMatch(/^waiting-for-input: /);
  });

  test("[AG41] the wait grows from one second to a minute, and jitter spreads it over that whole range", () => {
    const most = (retries: number) => retryDelay({ retries, jitter: 1 });
    expect([1, 2, 3, 7, 8].map(most)).toEqual(
      [1000, 2000, 4000, 60_000, 60_000].map((delay_ms) => ({ kind: "wait", delay_ms })),
    );
    expect(retryDelay({ retries: 5000, jitter: 0 })).toEqual({ kind: "wait", delay_ms: 0 });
  });

  test("[AG41] waits at least as long as the provider requests, and never longer than the limit", () => {
    const inputs = [
      fc.nat(10_000),
      fc.double({ min: -1, max: 2, noNaN: true }),
      fc.option(fc.integer(), { nil: undefined }),
    ] as const;
    fc.assert(
      fc.property(...inputs, (retries, jitter, asked) => {
        const delay = retryDelay({ retries, jitter, ...(asked === undefined ? {} : { retry_after_ms: asked }) });
        if (delay.kind === "too-long") {
          expect(asked).toBeGreaterThan(longest_wait_ms);
        } else {
          expect(delay.delay_ms).toBeGreaterThanOrEqual(Math.max(asked ?? 0, 0));
          expect(delay.delay_ms).toBeLessThanOrEqual(asked === undefined ? cap_ms : longest_wait_ms + base_ms);
        }
      }),
    );
  });

  test("[AG41] ends the turn with an explanation when the provider requests an hour", () => {
    const { state } = play(["prompt-submitted", ["model-failed", { code: "rate-limited", retry_after_ms: 3_600_000 }]]);
    expect(state).toMatchObject({
      last: { status: "failed", failure: { message: expect.stringContaining("3600 s") } },
    });
  });

  test("[AG42] shows each wait to the user, and retries as often as allowed", () => {
    const again = ["retry-due", "model-failed"] as const;
    const first = play([["prompt-submitted", { max_retries: 2 }], "model-failed"]);
    expect(first.effects).toMatchObject([
      { kind: "record-agent" },
      { kind: "notify-retry", retries: 1, max_retries: 2, retry_at: 1500, failure: { code: "overloaded" } },
      { kind: "wait-for-retry", retries: 1, delay_ms: 500, retry_at: 1500 },
    ]);
    const second = play(again, first.state);
    expect(second.state).toMatchObject({ kind: "error", retries: 2 });
    const third = play(again, second.state);
    expect(third.state).toMatchObject({
      last: { status: "failed", failure: { message: "it failed (tried 3 times)" } },
    });
  });

  test("[AG43] discards the text of a failed attempt when the next one begins, and keeps it when none does", () => {
    const waiting = play(["prompt-submitted", "model-part-received", "model-failed"]);
    expect(waiting.effects.map(({ kind }) => kind)).not.toContain("record-step-discarded");
    expect(play(["retry-due"], waiting.state).effects).toMatchObject([
      { kind: "record-step-discarded", entry_id: "t2.1" },
      { kind: "call-model", entry_id: "t2.1", attempt: 2 },
    ]);
    for (const end of ["interrupt-requested", "recovered"] as const) {
      const [finished] = play([end], waiting.state).effects;
      expect(finished).toMatchObject({ kind: "record-step-finished", outcome: "interrupted", calls: [] });
    }
  });

  test.each([
    ["invalid-signature", "without_thinking"],
    ["invalid-image", "without_images"],
  ] as const)("[F35] [AG46] answers %s once with a request %s, for the rest of the turn too", (code, without) => {
    const rejected = ["model-failed", { code }] as const;
    const again = play(["prompt-submitted", rejected]);
    expect(again.effects).toMatchObject([
      { kind: "record-step-discarded" },
      { kind: "notify-retry", failure: { code } },
      { kind: "call-model", attempt: 2, [without]: true },
    ]);
    expect(play([rejected], again.state).state).toMatchObject({ last: { status: "failed" } });
    const step = ["model-responded", "calls-examined", "tool-ended", "hook-finished"] as const;
    expect(play(step, again.state).effects.at(-1)).toMatchObject({ kind: "call-model", [without]: true });
  });

  test("[AG48] an empty answer is asked for once more, and then ends the turn with what to do", () => {
    const empty = ["model-failed", { code: "empty-answer" }] as const;
    const again = play(["prompt-submitted", empty]);
    expect(again.effects.at(-1)).toMatchObject({ kind: "call-model", attempt: 2 });
    const failure = { code: "empty-answer", advice: expect.stringContaining("another model") };
    expect(play([empty], again.state).state).toMatchObject({ last: { status: "failed", failure } });
  });

  test("[AG4] the timer of an earlier wait does not end a later wait", () => {
    const { state } = play(["prompt-submitted", "model-failed", "retry-due", "model-failed"]);
    const late = { kind: "retry-due", turn_id: "t2", step: 1, retries: 1, at: 1 } as const;
    expect(outline(transition(state, late))).toBe("ignored: stale-attempt");
  });

  test("[AG42] each step has all its retries", () => {
    const { state } = play([
      "prompt-submitted",
      "model-failed",
      "retry-due",
      "model-responded",
      "calls-examined",
      "tool-ended",
      "hook-finished",
      "model-failed",
    ]);
    expect(state).toMatchObject({ kind: "error", retries: 1, turn: { step: 2 } });
  });

  test("[AG44] waits for space on a full disk while calls are examined, and closes the calls when the disk stays full", () => {
    const failed = play(["prompt-submitted", "model-responded", "io-failed"]);
    expect(failed.state).toMatchObject({ kind: "error", failure: { origin: "io", code: "disk-full" } });
    expect(outline(play(["retry-due"], failed.state))).toBe("processing-response: record-agent examine-calls");
    const ended = play(["retry-due", ["io-failed", { io: "failed" }]], failed.state);
    expect(outline(ended)).toBe("waiting-for-input: record-tool-ended record-turn-finished");
    expect(ended.state).toMatchObject({ last: { status: "failed", failure: { origin: "io", code: "failed" } } });
  });

  test("[AG45] does not record the wait for a full disk, and waits longer when its end cannot be committed", () => {
    const failed = play([["prompt-submitted", { max_retries: 2 }], "io-failed"]);
    expect(outline(failed)).toBe("error: cancel-model notify-retry wait-for-retry");
    const again = play(["io-failed"], failed.state);
    expect(again.state).toMatchObject({ kind: "error", retries: 2, resume: { kind: "calling-model" } });
    const late = { kind: "retry-due", turn_id: "t2", step: 1, retries: 1, at: 1 } as const;
    expect(outline(transition(again.state, late))).toBe("ignored: stale-attempt");
    expect(play(["io-failed"], again.state).state).toMatchObject({ last: { status: "failed" } });
  });

  test("[AG44] on a disk failure while tools run, stops them and fails the turn when they have ended", () => {
    const failing = play(["prompt-submitted", "model-responded", "calls-examined", "io-failed"]);
    expect(outline(failing)).toBe("executing-tools: cancel-tool");
    const ended = play([["tool-ended", { outcome: "interrupted" }]], failing.state);
    expect(ended.state).toMatchObject({ last: { status: "failed", failure: { origin: "io" } } });
  });
});
