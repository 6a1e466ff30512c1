import { describe, expect, test } from "vitest";
import { choices, shrink, WalkError, walk } from "./walk/walk.ts";

const long = process.env["RETAKE_LONG"] !== undefined;
const first = Number(process.env["RETAKE_SEED"] ?? (long ? Math.floor(Math.random() * 1e9) : 42));
const walks = long ? Number(process.env["RETAKE_WALKS"] ?? 4) : 1;
const length = Number(process.env["RETAKE_STEPS"] ?? (long ? 500 : 120));

describe("a random walk over the command line and real files", () => {
  for (let seed = first; seed < first + walks; seed += 1)
    test(`[S1] [S9] [U1] [U2] [U3] [U4] [U8] [X2] [X3] [X5] agrees with a naive model at every step (RETAKE_SEED=${seed})`, async () => {
      const steps = choices(seed, length);
      try {
        const counts = await walk(steps);
        console.log(`seed ${seed}: ${JSON.stringify(counts)}`);
        expect(counts.steps).toBe(length);
      } catch (error) {
        if (!(error instanceof WalkError)) throw error;
        throw await shrink(steps, error, Number(process.env["RETAKE_SHRINK"] ?? 0));
      }
    }, 3_600_000);
});
