import { afterEach, expect, test, vi } from "vitest";
import { amount, LONG, SEED } from "../../../../testing/budget.ts";
import { RandomWalk } from "./testing/random-walk.ts";

const REQUESTS = amount("requests", 150, 1200);

afterEach(() => {
  vi.restoreAllMocks();
});

test(`[P6] [D6] [L9] no request is refused, whatever was done to the conversation: ${REQUESTS} requests, RETAKE_SEED=${SEED}`, async () => {
  // Retries wait for chance times a second.
  vi.spyOn(Math, "random").mockReturnValue(0);
  const walk = await RandomWalk.start(SEED);
  try {
    const done: string[] = [];
    while (walk.requests < REQUESTS) {
      done.push(await walk.step());
      expect(walk.session.server.refused, `after ${done.slice(-20).join(", ")}`).toEqual([]);
    }
    if (LONG) console.log(`seed ${SEED}: ${walk.requests} requests; ${walk.summary}`);
  } finally {
    await walk.session.close();
  }
});
