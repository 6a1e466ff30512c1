import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import measure from "fast-string-truncated-width";
import { expect, test } from "vitest";
import { coloured, terminalText } from "./terminal-text.ts";
import { cut, padded, textWidth, wrapped } from "./text-width.ts";

const ESCAPE = "\u001b";
const RED = coloured("red", "r");

test.each([
  ["plain", 5],
  ["日本語", 6],
  ["ｆｕｌｌ", 8],
  ["한국어", 6],
  ["cafe\u0301", 4],
  ["Müller", 6],
  ["😀", 2],
  ["👩‍👩‍👧", 2],
  ["🇩🇪", 2],
  ["👍🏽", 2],
  ["✓ ● · … → ›", 11],
  [coloured("red", "ab"), 2],
  ["", 0],
])("[F66] %j takes %i columns", (text, width) => {
  expect(textWidth(text)).toBe(width);
  expect(textWidth(padded(text, 20))).toBe(20);
});

test("[F66] what is measured without the library is what the library measures", () => {
  for (let code = 0x20; code < 0x3000; code += 1) {
    const character = String.fromCodePoint(code);
    if (code < 0x7f || code > 0x9f) expect(textWidth(character), code.toString(16)).toBe(measure(character).width);
  }
});

test("[F66] a text is cut by columns, never within a character", () => {
  expect(cut("日本語", 6)).toBe("日本語");
  expect(cut("日本語", 5)).toBe("日本…");
  expect(cut("日本語", 4)).toBe("日…");
  expect(cut("a😀b", 3)).toBe("a…");
  expect(cut("cafe\u0301s", 5)).toBe("cafe\u0301s");
  expect(cut("cafe\u0301-au-lait", 5)).toBe("cafe\u0301…");
  expect(cut("𠀀𠀁𠀂", 5)).toBe("𠀀𠀁…");
  expect(cut("plain", 3)).toBe("pl…");
  expect(cut("plain", 0)).toBe("…");
  expect(cut("plain", Number.POSITIVE_INFINITY)).toBe("plain");
});

test("[F66] whatever is cut has room, and is the beginning of the text", () => {
  const piece = fc.constantFrom(RED, "a", "é", "e\u0301", "日", "😀", "👩‍👩‍👧", "🇩🇪", "𠀀", " ", "ｆ", "✓");
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, width) => {
      const part = cut(whole, width);
      expect(textWidth(part)).toBeLessThanOrEqual(width);
      const [shown, all] = [part, whole].map((each) => stripVTControlCharacters(terminalText(each))) as [
        string,
        string,
      ];
      expect(shown === all || all.startsWith(shown.slice(0, -1))).toBe(true);
      expect(part.split(ESCAPE)).toHaveLength(whole.split(ESCAPE).length);
      expect(part.isWellFormed()).toBe(true);
    }),
  );
});

test("[F66] lines break at words, below the text of the first", () => {
  expect(wrapped("one two three", 40)).toEqual(["one two three"]);
  expect(wrapped("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapped("  one two three", 9)).toEqual(["  one two", "  three"]);
  expect(wrapped("✓ one two three", 9)).toEqual(["✓ one two", "  three"]);
  expect(wrapped("日本 語日 本語", 9)).toEqual(["日本 語日", "本語"]);
});

test("[F66] a word that is wider than the line stays whole", () => {
  expect(wrapped("see /a/very/long/path here", 10)).toEqual(["see", "/a/very/long/path", "here"]);
  expect(wrapped("● /a/very/long/path", 10)).toEqual(["● /a/very/long/path"]);
});

test("[F66] colours take no room where lines break", () => {
  const text = coloured("dim", "  one two three");
  expect(wrapped(text, 9).map((line) => stripVTControlCharacters(terminalText(line)))).toEqual([
    "  one two",
    "  three",
  ]);
});
