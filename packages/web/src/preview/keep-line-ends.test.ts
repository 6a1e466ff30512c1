import fc from "fast-check";
import { expect, test } from "vitest";
import { keepLineEnds } from "./keep-line-ends.ts";

test.each([
  ["a\r\nb\r\nc\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"],
  ["a\r\nb\r\nc\r\n", "a\nb\nnew\nc\n", "a\r\nb\r\nnew\r\nc\r\n"],
  ["a\r\nb\nc\r\nd", "a\nb\nC\nd", "a\r\nb\nC\r\nd"],
  ["a\r\nb\r\n", "", ""],
  ["a\nb\n", "a\nB\n", "a\nB\n"],
])("[X1] the result of a conflict keeps its line ends: %j edited to %j", (shown, typed, kept) => {
  expect(keepLineEnds(shown, typed)).toBe(kept);
});

test("[X1] a field that is not changed changes no byte, and an edit changes no letter", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "\r\n", "\n", "\r", "\r\n"), { maxLength: 12 });
  const shownAs = (text: string) => text.replaceAll(/\r\n?/g, "\n");
  fc.assert(
    fc.property(texts, texts, (parts, others) => {
      const [text, typed] = [parts.join(""), shownAs(others.join(""))];
      expect(keepLineEnds(text, shownAs(text))).toBe(text);
      expect(shownAs(keepLineEnds(text, typed))).toBe(typed);
    }),
  );
});
