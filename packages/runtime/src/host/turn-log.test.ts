import { describe, expect, test } from "vitest";
import { TurnLog } from "./turn-log.ts";

const open = new AbortController().signal;

async function all(log: TurnLog, since: number): Promise<Record<string, unknown>[]> {
  const events: Record<string, unknown>[] = [];
  for await (const batch of log.follow(since, open))
    for (const { json } of batch) events.push(JSON.parse(json) as Record<string, unknown>);
  return events;
}

describe("what a turn tells", () => {
  test("is told from its beginning, or behind a number, to who comes late; with the turn it ends", async () => {
    const log = new TurnLog();
    const early = all(log, 0);
    for (const text of ["a", "b", "c"]) log.tell({ text });
    const late = all(log, 2);
    log.tell({ text: "d" });
    log.end();
    expect(await early).toEqual(["a", "b", "c", "d"].map((text) => ({ text })));
    expect(await late).toEqual([{ text: "c" }, { text: "d" }]);
    expect(await all(log, 4)).toEqual([]);
  });

  test("what is not kept any more is a gap, and not hidden", async () => {
    const log = new TurnLog(40);
    for (let number = 1; number <= 10; number += 1) log.tell({ text: `text ${number}` });
    log.end();
    const [gap, ...rest] = await all(log, 1);
    expect(gap).toEqual({ type: "gap", since_seq: 1, seq: 8 });
    expect(rest).toEqual([{ text: "text 9" }, { text: "text 10" }]);
  });

  test("a silent turn is heard of all the same, and nobody waits behind the signal", async () => {
    const leaving = new AbortController();
    const batches: number[] = [];
    for await (const { length } of new TurnLog().follow(0, leaving.signal, 1)) {
      batches.push(length);
      if (batches.length === 2) leaving.abort();
    }
    expect(batches).toEqual([0, 0]);
  });
});
