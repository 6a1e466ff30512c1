import { expect, test } from "vitest";
import { numberLines, sideBySide } from "./number-lines.ts";

const HUNK = { old_start: 4, new_start: 6, lines: [" a", "-b", "-c", "+d", " e", "+f"] };

test("lines of a hunk have their numbers in both files", () => {
  expect(numberLines(HUNK).map(({ old, new: now, text }) => `${old ?? "."} ${now ?? "."} ${text}`)).toEqual([
    ...["4 6 a", "5 . b", "6 . c", ". 7 d", "7 8 e", ". 9 f"],
  ]);
});

test("side by side, what goes stands beside what comes in its place", () => {
  const rows = sideBySide(numberLines(HUNK)).map(([left, right]) => `${left?.text ?? ""}|${right?.text ?? ""}`);
  expect(rows).toEqual(["a|a", "b|d", "c|", "e|e", "|f"]);
  const ends = numberLines({ old_start: 1, new_start: 1, lines: ["-b", "\\ No newline", "+d", "\\ No newline"] });
  expect(sideBySide(ends).map(([left, right]) => `${left?.text}|${right?.text}`)).toEqual(["b|d"]);
});
