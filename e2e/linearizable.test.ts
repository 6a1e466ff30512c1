import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { amount, SEED } from "../testing/budget.ts";
import { workOverHttp } from "./linearizable/busy-client.ts";
import { workByCommands } from "./linearizable/command-client.ts";
import { linearizationProblems } from "./linearizable/linearization-problems.ts";
import type { RecordedCall } from "./linearizable/recorded-call.ts";
import { logOf } from "./processes/log-of.ts";
import { randomOf } from "./testing/random-of.ts";
import { ServedPlace } from "./testing/served-place.ts";

const requests = amount("requests", 40, 1500);

let served: ServedPlace;
beforeEach(async () => {
  served = new ServedPlace();
  await served.start();
});
afterEach(() => served.remove());

/** Runs all of them at once; returns their recorded calls and the problems in them. */
async function work(clients: number, commands: number) {
  const { thread } = await served.client().createThread({ title: "Shared" });
  const calls: RecordedCall[] = [];
  const record = (call: RecordedCall) => void calls.push(call);
  const overHttp = Array.from({ length: clients }, (_, index) =>
    workOverHttp(
      {
        name: `client-${index}`,
        client: served.client(),
        thread: thread.id,
        record,
        quiet: () => served.turnsEnded(thread.id),
      },
      requests,
      randomOf(SEED * 1000 + index),
    ),
  );
  const byCommands = workByCommands(
    { place: served.place, thread: thread.id, record },
    commands,
    randomOf(SEED * 1000 + 999),
  );
  await Promise.all([...overHttp, byCommands]);
  // Queued turns end before the log is read.
  await served.turnsEnded(thread.id);
  const { operations, present, folded } = logOf(served.place, thread.id);
  expect(folded).toBe(present);
  return { calls, operations, problems: linearizationProblems(calls, operations) };
}

function counted(calls: readonly RecordedCall[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { asked, answer } of calls) {
    const what = `${asked.kind} ${answer.kind === "refused" ? answer.code : answer.kind}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

describe(`several clients at once (seed ${SEED})`, () => {
  test("[S7] [L7] [P2] what a server answers them can be explained by one request after the other", async () => {
    const { calls, operations, problems } = await work(6, 0);
    console.log(`${calls.length} calls, ${operations.length} operations: ${JSON.stringify(counted(calls))}`);
    expect(problems).toEqual([]);
    const counts = counted(calls);
    for (const what of [
      "insert changed",
      "edit changed",
      "undo changed",
      "draft changed",
      "retry changed",
      "read-entries entries",
    ])
      expect({ what, seen: counts[what] ?? 0 }).toEqual({ what, seen: expect.toSatisfy((count) => count > 0) });
  });

  test("[S7] [L4] and so can what a server and commands answer that work on one store", async () => {
    const { calls, operations, problems } = await work(3, Math.ceil(requests / 8));
    console.log(`${calls.length} calls, ${operations.length} operations: ${JSON.stringify(counted(calls))}`);
    expect(problems).toEqual([]);
  });
});
