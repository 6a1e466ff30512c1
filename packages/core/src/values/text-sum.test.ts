import { expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { textSum } from "./text-sum.ts";

const SUMS = [4711929670498745, 467777392791304, 3838672592312637, 7639620994507673];

test("the sums of stored operations stay what they are", () => {
  expect(["", "a", "äö€", "one line\n".repeat(1000)].map(textSum)).toEqual(SUMS);
});

test("a sum is computed modulo 2^32 in both halves", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => textSum(text) === naive(text)));
});

function naive(text: string): number {
  let low = 0x9e3779b9n;
  let high = 0x85ebca6bn;
  for (const unit of Array.from(text.split(""), (each) => BigInt(each.charCodeAt(0)))) {
    low = BigInt.asUintN(32, (low ^ unit) * 0x01000193n);
    high = BigInt.asUintN(32, (high ^ unit) * 0x5bd1e995n + (low >> 15n));
  }
  return Number(((high >> 11n) << 32n) + low);
}
