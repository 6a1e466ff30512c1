import { afterEach, expect, test, vi } from "vitest";
import { RandomWalk } from "./testing/random-walk.ts";

const SEED = Number(process.env["RETAKE_SEED"] ?? 42);
const REQUESTS = process.env["RETAKE_LONG"] === "1" ? 1200 : 150;

afterEach(() => {
  vi.restoreAllMocks();
});

test(
  `[P6] [D6] [L9] no request is refused, whatever was done to the conversation: ${REQUESTS} requests, RETAKE_SEED=${SEED}`,
  async () => {
    // Retries wait for chance times a second.
    vi.spyOn(Math, "random").mockReturnValue(0);
    const walk = await RandomWalk.start(SEED);
    try {
      const done: string[] = [];
      while (walk.requests < REQUESTS) {
        done.push(await walk.step());
        expect(walk.session.server.refused, `after ${done.slice(-20).join(", ")}`).toEqual([]);
      }
      if (REQUESTS > 1000) console.log(`seed ${SEED}: ${walk.requests} requests; ${walk.summary}`);
    } finally {
      await walk.session.close();
    }
  },
  REQUESTS * 2000,
);
