import fc from "fast-check";
import { describe, test } from "vitest";
import { walkRuns } from "../testing/runs.ts";
import { ACTIONS } from "../testing/walk-actions.ts";
import { Walker } from "../testing/walker.ts";

const step = fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(999), fc.nat(999));

describe("a random walk", () => {
  test("[H1] [H3] [H4] [H5] [H6] [H8] [H12] [H15] agrees with a naive model after every step", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 300, size: "max" }), (steps) => {
        const walker = new Walker();
        for (const [name, a, b] of steps) {
          ACTIONS[name]?.(walker, a, b);
          const wrong = walker.disagreement();
          if (wrong) throw new Error(`after ${name} ${a} ${b}: ${wrong}`);
        }
      }),
      walkRuns(30),
    );
  });
});
