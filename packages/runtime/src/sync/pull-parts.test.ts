import type { PulledSegments, Segment, SyncOutcome } from "@retake/core/sync";
import { expect, test } from "vitest";
import { type PullPart, pullParts } from "./pull-parts.ts";
import type { FoundSegment } from "./read-segment.ts";

const PAGE = 50;

/** A server with so many segments of 200 operations, and a device that reads them. */
function pull(segments: number, { last = segments, unreadable = 0 } = {}) {
  const asked: number[] = [];
  const readers: number[] = [];
  const ask = async (after: number) => {
    asked.push(after);
    const count = Math.max(0, Math.min(PAGE, segments - after));
    const pulled = Array.from({ length: count }, (_, at) => segment(after + at + 1));
    const answer = { segments: pulled, last_seq: last, heads: [], change: "c" } as unknown as PulledSegments;
    return { seen: [`before ${after}`], outcome: { kind: "answer", answer } as SyncOutcome<"pullSegments"> };
  };
  const read = async (one: Segment) => {
    const seq = Number(one.envelope.id);
    const found = seq === unreadable ? { kind: "unreadable", code: "damaged", message: "" } : { kind: "read", seq };
    return found as unknown as FoundSegment;
  };
  const reader = (count: number) => {
    readers.push(count);
    return { read };
  };
  return { asked, readers, parts: pullParts({ step: { kind: "pull", after: 0, last_seq: 1 }, ask, reader }) };
}

function segment(seq: number) {
  return { seq, body: "", envelope: { id: String(seq), operations: new Array(200).fill({}) } };
}

function numbersIn(parts: readonly PullPart[]): unknown[] {
  return parts.flatMap(({ found }) => found.map((each) => (each as unknown as { seq?: number }).seq));
}

async function everyOne(parts: AsyncIterable<PullPart>): Promise<PullPart[]> {
  const found: PullPart[] = [];
  for await (const part of parts) found.push(part);
  return found;
}

const all = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test("[L5] a long thread is pulled whole, in parts that follow one another, with one reader", async () => {
  const { parts, asked, readers } = pull(120);
  const found = await everyOne(parts);
  expect(numbersIn(found)).toEqual(all(120));
  let after = 0;
  for (const { step, outcome, found: read } of found) {
    expect(step.after).toBe(after);
    expect(outcome.kind === "answer" && outcome.answer.segments.length).toBe(read.length);
    after += read.length;
  }
  expect(found.map(({ isLast }) => isLast)).toEqual(found.map((_, at) => at === found.length - 1));
  expect(asked).toEqual([0, 50, 100]);
  expect(readers).toEqual([PAGE]);
  // 200 operations a segment.
  expect(Math.max(...found.map(({ found: read }) => read.length))).toBe(5);
});

test("[L5] the next page is asked for while a page is stored, and none after it", async () => {
  const { parts, asked } = pull(120);
  await parts.next();
  expect(asked).toEqual([0, 50]);
  await parts.return(undefined);
  expect(asked).toEqual([0, 50]);
});

test("[L5] an answer without segments is a part, also when it says that there are more", async () => {
  for (const last of [0, 7]) {
    const { parts, asked } = pull(0, { last });
    expect(await everyOne(parts)).toMatchObject([{ found: [], isLast: true, seen: ["before 0"] }]);
    expect(asked).toEqual([0]);
  }
});

test("[L7] a part ends with the first segment that cannot be read", async () => {
  const { parts } = pull(20, { unreadable: 8 });
  const found: PullPart[] = [];
  for await (const part of parts) {
    found.push(part);
    if (part.found.some(({ kind }) => kind === "unreadable")) break;
  }
  expect(found.map(({ found: read }) => read.length)).toEqual([5, 3]);
});

test("[L6] a request that fails is a part that says so", async () => {
  const outcome = { kind: "no-answer", message: "x" } as const;
  const reader = () => ({ read: () => Promise.reject(new Error("nothing is read")) });
  const parts = pullParts({
    step: { kind: "pull", after: 3, last_seq: 9 },
    ask: async () => ({ seen: [], outcome }),
    reader,
  });
  expect(await everyOne(parts)).toEqual([
    { step: { kind: "pull", after: 3, last_seq: 9 }, seen: [], outcome, found: [], isLast: true },
  ]);
});
