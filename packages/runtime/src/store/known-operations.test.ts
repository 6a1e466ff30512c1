import { expect, test } from "vitest";
import { KnownOperations } from "./known-operations.ts";

type Known = Parameters<KnownOperations["add"]>[1];
const operation = (id: string) => ({ id }) as Known;
const megabyte = 1024 * 1024;

test("keeps the last used operations, and drops several others when there are too many", () => {
  const known = new KnownOperations();
  for (let index = 0; index < 8; index += 1) known.add(`${index}`, operation(`${index}`), megabyte);
  expect(known.get("0")?.id).toBe("0");
  known.add("8", operation("8"), megabyte);
  known.add("9", operation("9"), megabyte);
  const found = ["0", "1", "2", "3", "9"].map((hash) => known.get(hash)?.id);
  expect(found).toEqual(["0", undefined, undefined, "3", "9"]);
});

test("does not keep one that would displace many", () => {
  const known = new KnownOperations();
  known.add("small", operation("small"), 1);
  known.add("huge", operation("huge"), 2 * megabyte);
  expect([known.get("small")?.id, known.get("huge")]).toEqual(["small", undefined]);
});
