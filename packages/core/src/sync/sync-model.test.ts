import { describe, expect, test } from "vitest";
import { amount, SEED } from "../../../../testing/budget.ts";
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
