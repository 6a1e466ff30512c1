import { describe, expect, test } from "vitest";
import { amount, seeds } from "../testing/budget.ts";
import { choices, shrink, WalkError, walk } from "./walk/walk.ts";

const walks = amount("walks", 1, 4);
const length = amount("steps", 120, 500);

describe("a random walk over the command line and real files", () => {
  for (const seed of seeds(walks))
    test(`[F20] [S1] [S9] [U1] [U2] [U3] [U4] [U8] [X2] [X3] [X5] agrees with a naive model at every step (RETAKE_SEED=${seed})`, async () => {
      const steps = choices(seed, length);
      try {
        const counts = await walk(steps);
        console.log(`seed ${seed}: ${JSON.stringify(counts)}`);
        expect(counts.steps).toBe(length);
      } catch (error) {
        if (!(error instanceof WalkError)) throw error;
        throw await shrink(steps, error, amount("shrink", 0, 0));
      }
    });
});
