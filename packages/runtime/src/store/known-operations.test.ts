import { expect, test } from "vitest";
import { KnownOperations } from "./known-operations.ts";

type Known = Parameters<KnownOperations["add"]>[1];
const operation = (id: string) => ({ id }) as Known;
const megabyte = 1024 * 1024;

test("keeps the last used operations, and drops others when there are too many", () => {
  const known = new KnownOperations();
  for (let index = 0; index < 8; index += 1) known.add(`${index}`, operation(`${index}`), megabyte);
  expect(known.get("0")?.id).toBe("0");
  known.add("8", operation("8"), megabyte);
  expect(["0", "1", "2", "8"].map((hash) => known.get(hash)?.id)).toEqual(["0", undefined, "2", "8"]);
});

test("does not keep one that would displace many", () => {
  const known = new KnownOperations();
  known.add("small", operation("small"), 1);
  known.add("huge", operation("huge"), 2 * megabyte);
  expect([known.get("small")?.id, known.get("huge")]).toEqual(["small", undefined]);
});
