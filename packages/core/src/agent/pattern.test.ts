import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { literally, matchesPath, matchesText } from "./pattern.ts";

describe("patterns of approval rules", () => {
  const paths: [pattern: string, path: string, matches: boolean][] = [
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/**", "src/deep/a.ts", true],
    ["src/**", "src", false],
    ["src/**", "src2/a", false],
    ["**/a.ts", "a.ts", true],
    ["**/a.ts", "x/y/a.ts", true],
    ["**/a.ts", "x/ba.ts", false],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "a/xb", false],
    ["**", "anything/at/all", true],
    ["a**b", "a/b", false],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["", "", true],
    ["", "a", false],
    ["日*", "日本/語", false],
    ["😀?", "😀😀", true],
  ];
  for (const [pattern, path, matches] of paths) {
    test(`[AG21] the path '${path}' ${matches ? "matches" : "does not match"} '${pattern}'`, () => {
      expect(matchesPath(pattern, path)).toBe(matches);
    });
  }

  test("[AG21] a literal pattern matches its own text and nothing else", () => {
    const text = fc.string({ unit: fc.constantFrom("*", "?", "\\", "a", "/", " ") });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(matchesText(literally(one), other)).toBe(one === other);
        expect(matchesPath(literally(one), other)).toBe(one === other);
      }),
    );
  });

  test("[AG21] agrees with an equivalent regular expression", () => {
    const unit = fc.constantFrom("*", "?", "a", "b", "/");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), fc.string({ unit, maxLength: 8 }), (pattern, text) => {
        const expression = pattern.replaceAll("*", ".*").replaceAll("?", ".");
        expect(matchesText(pattern, text)).toBe(new RegExp(`^${expression}$`, "su").test(text));
      }),
    );
  });

  test("[AG21] a pattern built to be slow takes no more steps than pattern × text", () => {
    expect(matchesText("*a".repeat(100), `${"a".repeat(5_000)}b`)).toBe(false);
    expect(matchesPath("**/a/".repeat(50), "a/".repeat(1_000))).toBe(true);
  });
});
