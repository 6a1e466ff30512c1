import { describe, expect, test } from "vitest";
import { words } from "./words.ts";

describe("words of a line", () => {
  test.each([
    ["", []],
    ["undo 2", ["undo", "2"]],
    ["  edit  e1  --content 'two words' ", ["edit", "e1", "--content", "two words"]],
    ['insert --content "say \\"hi\\""', ["insert", "--content", 'say "hi"']],
    ["a\\ b ''", ["a b", ""]],
    ["it's open", ["its open"]],
  ])("%j", (line, expected) => {
    expect(words(line)).toEqual(expected);
  });
});
