import { expect, test } from "vitest";
import { costOf } from "./cost.ts";

test.each([
  ["everything has its price", { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }, 3 + 15 + 0.3 + 3.75],
  ["what is cached costs as input does unless it has a price", { input: 3, output: 15 }, 3 + 15 + 3 + 3],
  ["a price that is not set makes no sum", { output: 15 }, undefined],
  ["no prices, no sum", undefined, undefined],
])("%s", (_, price, expected) => {
  const million = 1_000_000;
  const usage = {
    input_tokens: million,
    output_tokens: million,
    cache_read_input_tokens: million,
    cache_creation_input_tokens: million,
  };
  expect(costOf(usage, price)).toBe(expected);
});

test("unused kinds of tokens need no price", () => {
  expect(costOf({ output_tokens: 1_000_000 }, { output: 15 })).toBe(15);
});
