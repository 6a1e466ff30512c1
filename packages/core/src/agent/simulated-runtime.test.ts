import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { entries, turn } from "../session/view.ts";
import { Conversation } from "./testing/conversation.ts";
import { SimulatedRuntime } from "./testing/simulated-runtime.ts";

describe("a simulated runtime", () => {
  test("[L1] [L2] [X9] [AG3] [AG8] [AG43] [AG74] always comes to rest, and the conversation matches what happened", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 400, size: "max" }), (choices) => {
        const runtime = new SimulatedRuntime(choices);
        runtime.run();
        expect(runtime.state.kind).toMatch(/^(waiting-for-input|shutting-down)$/);
        expect(runtime.ledger.turn).toBeUndefined();
        expect(runtime.ledger.runs.size).toBe(0);
        readable(runtime.conversation);
        recorded(runtime);
        for (const status of runtime.conversation.turns.values()) seen.add(`turn ${status}`);
        for (const status of runtime.conversation.results.values()) seen.add(`call ${status}`);
      }),
      cases(400, 50_000),
    );
    // A simulation in which one of these never occurs would prove nothing about it.
    expect([...seen].sort()).toEqual([
      ...["completed", "denied", "failed", "interrupted", "unknown"].map((status) => `call ${status}`),
      ...["failed", "finished", "interrupted", "refused", "step-limit"].map((status) => `turn ${status}`),
    ]);
  });
});

/** The thread's records must equal a naive fold of the agent's records. */
function recorded({ conversation, world }: SimulatedRuntime): void {
  const { order, steps, results, turns } = conversation;
  const kept = order.filter((entry) => {
    const step = steps.get(entry);
    return step?.text !== "" || step.calls > 0;
  });
  const there = [...entries(world.state, "t1")];
  expect(there.map(({ id }) => id)).toEqual(kept);
  for (const { id, content, tool_result } of there) {
    expect(tool_result?.status).toBe(results.get(id));
    if (steps.has(id)) expect(content).toBe(steps.get(id)?.text);
  }
  for (const [id, status] of turns) expect(turn(world.state, "t1", id)?.status).toBe(status);
}

function readable({ turns, steps, results, order }: Conversation): void {
  for (const status of turns.values()) expect(status).not.toBe("running");
  for (const status of results.values()) expect(status).not.toMatch(/pending|running/);
  for (const [entry, { text, outcome, attempt = 0, calls }] of steps) {
    const [turn = "", step] = entry.split(".");
    const whole = Conversation.answerOf(turn, Number(step), attempt).join("");
    expect(outcome).toBeDefined();
    // The text is the whole answer of one attempt or its beginning, never a mix of two.
    if (outcome === "answered") expect(text).toBe(whole);
    else expect(whole.startsWith(text)).toBe(true);
    const after = order.slice(order.indexOf(entry) + 1, order.indexOf(entry) + 1 + calls);
    expect(after).toEqual(Array.from({ length: calls }, (_, index) => `${entry}.${index + 1}`));
  }
}
