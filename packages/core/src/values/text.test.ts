import fc from "fast-check";
import { expect, test } from "vitest";
import { grouped } from "./text.ts";

test("a number is grouped as the tables for English say", () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(9_999), fc.integer()), (count) => {
      expect(grouped(count)).toBe(count.toLocaleString("en"));
    }),
  );
});
