import { describe, expect, test } from "vitest";
import { areNew, decidePush, type PushFacts } from "./decide-push.ts";
import { KID, operation, segment, tagOf } from "./testing/segments.ts";

const FACTS: PushFacts = {
  vault: "v",
  thread: "t",
  device: "d",
  kid: KID,
  used_bytes: 0,
  quota_bytes: 100,
  row: { last_seq: 2, heads: [{ operation: "b", seq: 2 }], deleted: false },
  known: new Map([known("a", 1), known("b", 2)]),
  blobs: new Set(),
};

function known(id: string, seq: number) {
  return [id, { tag: tagOf(id), seq, segment: `s${seq}` }] as const;
}

test.each([
  ["new when they follow heads and each other", [operation("c", "b"), operation("d", "c")], ["b"], true],
  ["new when the thread has none", [operation("a"), operation("b", "a")], [], true],
  [
    "perhaps known when the first is a first of a thread with others",
    [operation("a"), operation("b", "a")],
    ["b"],
    false,
  ],
  ["perhaps known when one follows what is no head", [operation("c", "b"), operation("d", "a")], ["b"], false],
  ["perhaps known when they follow what another device has followed", [operation("c", "b", "a")], ["b"], false],
])("[L6] operations of a push are %s", (_, operations, heads, expected) => {
  const ends = heads.map((id, seq) => ({ operation: id, seq }));
  expect(areNew(operations, ends)).toBe(expected);
});

describe("a push", () => {
  test("[L7] that follows the head becomes the head", () => {
    expect(decidePush(segment([operation("c", "b")]), FACTS)).toMatchObject({
      kind: "store",
      answer: { segment: "s-c", seq: 3, last_seq: 3, heads: [{ operation: "c", seq: 3 }] },
    });
  });

  test("[L7] that does not know the last changes is stored as another head, in the server's order", () => {
    expect(decidePush(segment([operation("c", "a")]), FACTS)).toMatchObject({
      kind: "store",
      answer: {
        heads: [
          { operation: "b", seq: 2 },
          { operation: "c", seq: 3 },
        ],
      },
    });
  });

  test("[L7] of a merge leaves one head", () => {
    const facts = {
      ...FACTS,
      row: {
        last_seq: 3,
        heads: [
          { operation: "b", seq: 2 },
          { operation: "c", seq: 3 },
        ],
        deleted: false,
      },
      known: new Map([...FACTS.known, known("c", 3)]),
    };
    expect(decidePush(segment([operation("m", "b", "c")]), facts)).toMatchObject({
      kind: "store",
      answer: { heads: [{ operation: "m", seq: 4 }] },
    });
  });

  test("[L6] that was stored already gets its old number again", () => {
    expect(decidePush(segment([operation("a")], { id: "again" }), FACTS)).toMatchObject({
      kind: "repeat",
      answer: { segment: "s1", seq: 1, last_seq: 2, heads: [{ operation: "b", seq: 2 }] },
    });
  });

  test("[L6] of which a part was stored already adds the other part", () => {
    expect(decidePush(segment([operation("b", "a"), operation("c", "b")]), FACTS)).toMatchObject({
      kind: "store",
      operations: [{ id: "c" }],
      answer: { seq: 3, heads: [{ operation: "c", seq: 3 }] },
    });
  });

  test("[L7] names what the server does not have, and stores nothing", () => {
    const blob = "b".repeat(64);
    expect(decidePush(segment([operation("d", "x", "b")], { blobs: [blob] }), FACTS)).toMatchObject({
      code: "missing",
      details: { parents: ["x"], blobs: [blob] },
    });
    expect(
      decidePush(segment([operation("c", "b")], { blobs: [blob] }), { ...FACTS, blobs: new Set([blob]) }),
    ).toMatchObject({
      kind: "store",
    });
  });

  const next = [operation("c", "b")];
  test.each([
    ["another key", "wrong-key", segment(next, { kid: "b".repeat(64) }), FACTS],
    ["a key where the vault has none", "wrong-key", segment(next), { ...FACTS, kid: null }],
    ["another thread in its envelope", "invalid-request", segment(next, { thread: "u" }), FACTS],
    ["another vault in its envelope", "invalid-request", segment(next, { vault: "w" }), FACTS],
    ["the name of another device", "invalid-request", segment(next, { device: "e" }), FACTS],
    ["a newer format", "newer-version", segment(next, { format_version: 2 }), FACTS],
    ["a thread that is unknown", "unknown-thread", segment(next), { ...FACTS, row: undefined }],
    ["a deleted thread", "gone", segment(next), { ...FACTS, row: { last_seq: 2, heads: [], deleted: true } }],
    ["other content of a known id", "other-content", segment([{ ...operation("a"), tag: tagOf("z") }]), FACTS],
    ["more than the vault may hold", "quota-exceeded", segment(next), { ...FACTS, used_bytes: 98 }],
  ])("[L5] with %s is refused: %s", (_, code, pushed, facts) => {
    expect(decidePush(pushed, facts)).toMatchObject({ kind: "refused", code });
  });

  test("[L6] is answered again even when the vault is full", () => {
    expect(decidePush(segment([operation("a")]), { ...FACTS, used_bytes: 1000 })).toMatchObject({ kind: "repeat" });
  });
});
