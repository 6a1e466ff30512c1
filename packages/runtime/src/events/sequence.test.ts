import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromSequence, toSequence } from "./sequence.ts";

const position = fc.record({ shared: fc.nat(2 ** 31 - 1), private: fc.nat(2 ** 22 - 1) });

describe("the number of a position", () => {
  test("[P8] leads back to it, is a safe integer, and grows when either store does", () => {
    fc.assert(
      fc.property(position, fc.constantFrom("shared", "private"), (at, store) => {
        const number = toSequence(at);
        expect(fromSequence(number)).toEqual(at);
        expect(Number.isSafeInteger(number)).toBe(true);
        expect(toSequence({ ...at, [store]: at[store] + 1 })).toBeGreaterThan(number);
      }),
    );
  });
});
