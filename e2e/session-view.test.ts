import { describe, expect, test } from "vitest";
import { randomOf } from "./testing/random-of.ts";
import { ViewWalk } from "./view/view-walk.ts";

const long = process.env["RETAKE_LONG"] !== undefined;
const seed = Number(process.env["RETAKE_SEED"] ?? (long ? Math.floor(Math.random() * 1e9) : 7));
const steps = Number(process.env["RETAKE_STEPS"] ?? (long ? 2000 : 40));
/** Of the long thread, of which every screen holds a window. */
const entries = Number(process.env["RETAKE_ENTRIES"] ?? (long ? 100_000 : 1000));

describe("screens that follow threads over a bad line", () => {
  test(`[S5] [U7] [P8] show what is stored after every event of a random walk (RETAKE_SEED=${seed})`, async () => {
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
  }, 3_600_000);
});
