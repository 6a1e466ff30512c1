import { afterAll, describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import type { Json } from "../values/json.ts";
import { type AgentState, IDLE_AGENT } from "./agent-state.ts";
import { recoverAgent } from "./recover-agent.ts";
import { type Aimed, aim, anEvent } from "./testing/arbitrary-event.ts";
import { Ledger } from "./testing/ledger.ts";
import { transition } from "./transition.ts";

const runs = cases(1500, 200_000);
const fewerRuns = cases(150, 20_000);

const events = fc.array(anEvent, { maxLength: 80, size: "max" });

/** Plays the events, each aimed at the state it meets; calls `visit` with every state on the way. */
function walk(aimed: readonly Aimed[], visit: (state: AgentState) => void): void {
  const ledger = new Ledger();
  let state: AgentState = IDLE_AGENT;
  const used = new Set<string>();
  for (const each of aimed) {
    const event = aim(each, state);
    // The runtime gives every turn a new id.
    if (event.kind === "prompt-submitted" && state.kind === "waiting-for-input" && used.has(event.turn_id)) continue;
    const result = transition(state, event);
    if (result.effects.some(({ kind }) => kind === "record-turn-started") && "turn_id" in event)
      used.add(event.turn_id);
    ledger.take(state, event, result);
    state = result.state;
    visit(state);
  }
}

describe("any sequence of events", () => {
  const seen = new Map<string, number>();

  test("[L1] [AG2] [AG3] [AG6] [AG7] [AG8] never throws, and opens and closes everything exactly once", () => {
    fc.assert(
      fc.property(events, (aimed) => walk(aimed, ({ kind }) => seen.set(kind, (seen.get(kind) ?? 0) + 1))),
      runs,
    );
  });

  test("[L9] [AG2] a state that went through JSON continues as the original does", () => {
    fc.assert(
      fc.property(events, anEvent, (aimed, next) => {
        walk(aimed, (state) => {
          const json: Json = state;
          const copy = JSON.parse(JSON.stringify(json)) as AgentState;
          expect(copy).toStrictEqual(state);
          expect(transition(copy, aim(next, copy))).toStrictEqual(transition(state, aim(next, state)));
        });
      }),
      fewerRuns,
    );
  });

  test("[L9] [X9] [AG60] [AG61] [AG62] killed at any point, recovers to waiting for input, once, and ignores late events", () => {
    fc.assert(
      fc.property(events, fc.array(anEvent, { maxLength: 5 }), (aimed, late) => {
        walk(aimed, (state) => {
          const recovered = recoverAgent(state, { kind: "recovered", at: 5 });
          expect(recovered.state.kind).toBe("waiting-for-input");
          expect(recovered.effects.every(({ kind }) => kind.startsWith("record-"))).toBe(true);
          expect(recoverAgent(recovered.state, { kind: "recovered", at: 6 })).toEqual({
            state: recovered.state,
            effects: [],
            ignored: "nothing-to-recover",
          });
          for (const each of late) {
            // Events of the killed process, reported to the new one.
            const event = aim(each, state);
            if (event.kind === "prompt-submitted" || event.kind === "shutdown-requested") continue;
            expect(transition(recovered.state, event).ignored).toBeDefined();
          }
        });
      }),
      fewerRuns,
    );
  });

  afterAll(() => {
    // A walk that never reached a state would prove nothing about it.
    expect([...seen.keys()].sort()).toEqual([
      "calling-model",
      "error",
      "executing-tools",
      "post-tools-hook",
      "processing-response",
      "shutting-down",
      "waiting-for-input",
    ]);
  });
});
