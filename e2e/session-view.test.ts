import { describe, expect, test } from "vitest";
import { amount, seeds } from "../testing/budget.ts";
import { randomOf } from "./testing/random-of.ts";
import { ViewWalk } from "./view/view-walk.ts";

const steps = amount("steps", 40, 500);
/** The entries of the long thread; every screen shows a window of it. */
const entries = amount("entries", 1000, 100_000);

describe("screens that follow threads over a bad line", () => {
  test.each(seeds(amount("walks", 1, 4)))(
    "[S5] [U7] [P8] show what is stored after every event of a random walk (RETAKE_SEED=%i)",
    async (seed) => {
      const walk = new ViewWalk(randomOf(seed), entries);
      try {
        await walk.begin();
        await walk.run(steps);
      } finally {
        await walk.end();
      }
      console.log(`seed ${seed}: ${JSON.stringify(walk.told)} ${JSON.stringify(walk.counts)}`);
      for (const what of ["views", "cuts", "holds", "connections"] as const)
        expect({ what, count: walk.told[what] }).toEqual({ what, count: expect.toSatisfy((count) => count > 0) });
    },
  );
});
