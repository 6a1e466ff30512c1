import { describe, expect, test } from "vitest";
import { associatedData, checkEnvelope, outerParents, tipsOf } from "./segment.ts";
import { operation, segment } from "./testing/segments.ts";

const two = [operation("a"), operation("b", "a")];

describe("a segment's envelope", () => {
  test("[L5] is read with its operations in causal order", () => {
    expect(checkEnvelope(segment(two).envelope)).toBeUndefined();
  });

  test.each([
    ["no operation", segment([]).envelope],
    ["a child before its parent", segment([...two].reverse()).envelope],
    ["an operation twice", segment([operation("a"), operation("a")]).envelope],
    ["an operation that is its own parent", segment([operation("a", "a")]).envelope],
    ["201 operations", segment(Array.from({ length: 201 }, (_, index) => operation(`o${index}`))).envelope],
    ["a blob twice", segment(two, { blobs: ["b".repeat(64), "b".repeat(64)] }).envelope],
    ["a blob's name that is no hash", segment(two, { blobs: ["../../etc/passwd"] }).envelope],
    ["an id with a path in it", segment(two, { thread: "../t" }).envelope],
    ["a tag that is no hash", segment([{ ...operation("a"), tag: "x" }]).envelope],
    ["a field that nobody knows", { ...segment(two).envelope, note: "x" }],
    ["another format", { ...segment(two).envelope, format: "retake-bundle" }],
  ])("[L5] is refused with %s", (_, envelope) => {
    expect(checkEnvelope(envelope)).toEqual(expect.any(String));
  });

  test("[X16] binds all that is in clear to the body, but for the body's own size and digest", () => {
    const { envelope } = segment(two);
    const bound = associatedData(envelope);
    expect(associatedData({ ...envelope, size: 9, digest: "1".repeat(64) })).toBe(bound);
    const others = [
      { vault: "w" },
      { thread: "u" },
      { device: "e" },
      { id: "x" },
      { kid: "b".repeat(64) },
      { operations: [operation("a")] },
      { blobs: ["b".repeat(64)] },
      { format_version: 2 },
    ];
    for (const other of others) expect(associatedData({ ...envelope, ...other })).not.toBe(bound);
  });
});

test("[L7] knows the ends of its operations, and the parents it needs from elsewhere", () => {
  const operations = [operation("c", "a"), operation("d", "b"), operation("e", "c")];
  expect(tipsOf(operations).map(({ id }) => id)).toEqual(["d", "e"]);
  expect(outerParents(operations)).toEqual(["a", "b"]);
});
