import { describe, expect, test } from "vitest";
import { amount, SEED } from "../../../../testing/budget.ts";
import { EveryInterleaving } from "./testing/every-interleaving.ts";
import { MISTAKES } from "./testing/mistakes.ts";
import { BrokenPromiseError } from "./testing/model-invariants.ts";
import { RULES, type Rules } from "./testing/model-rules.ts";
import { RandomSchedule } from "./testing/random-schedule.ts";

describe("devices, server and network in any order of events", () => {
  test("[L5] [L6] [L7] [L8] lose nothing, and become equal when all is quiet", () => {
    const count = amount("walks", 2000, 100_000);
    expect(firstFailure(RULES, count)).toBeUndefined();
  });

  test.each(Object.entries(MISTAKES))("[L6] the model finds that %s", (_, mistake) => {
    expect(firstFailure({ ...RULES, ...mistake }, 1000)).toBeInstanceOf(BrokenPromiseError);
  });
});

describe("every order in which three devices work and sync", () => {
  test.each([
    { works: 4, rounds: 1, losses: 0 },
    { works: 1, rounds: 2, losses: 0 },
    { works: 1, rounds: 1, losses: 1 },
  ])(
    "[L6] [L7] $works operations and $rounds syncs each, $losses lost answers: nothing is lost, and all become equal",
    (bounds) => {
      const long = amount("steps", 0, 1);
      expect(new EveryInterleaving({ ...bounds, rounds: bounds.rounds + long }).explore()).toBeGreaterThan(500);
    },
  );

  test.each([
    "the server refuses a push of a device that is behind",
    "a device that pushed does not merge",
    "the server keeps the heads that a segment follows",
  ])("[L6] find that %s", (name) => {
    const rules = { ...RULES, ...MISTAKES[name] };
    const explore = () => new EveryInterleaving({ works: 1, rounds: 1, losses: 0 }, rules).explore();
    expect(explore).toThrow();
  });
});

function firstFailure(rules: Rules, schedules: number): unknown {
  for (let seed = SEED; seed < SEED + schedules; seed += 1) {
    try {
      new RandomSchedule(seed, rules).run();
    } catch (error) {
      return error;
    }
  }
  return undefined;
}
