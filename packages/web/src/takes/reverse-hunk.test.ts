import { expect, test } from "vitest";
import { reverseHunk } from "./reverse-hunk.ts";

const NOTE = "\\ No newline at end of file";
const hunk = (lines: readonly string[]) => ({
  old_start: 4,
  old_lines: 5,
  new_start: 6,
  new_lines: 7,
  lines: [...lines],
  edits: [2, 3],
});

test("a hunk in reverse has its sides exchanged, lines that go first, and the same numbers", () => {
  expect(reverseHunk(hunk([" a", "-b", "-c", "+d", " e", "+f", " g", "-h"]))).toEqual({
    old_start: 6,
    old_lines: 7,
    new_start: 4,
    new_lines: 5,
    lines: [" a", "-d", "+b", "+c", " e", "-f", " g", "+h"],
    edits: [2, 3],
  });
});

test("a note goes with its line, and a hunk that is reversed twice is itself", () => {
  const lines = [" a", "-b", NOTE, "+c", NOTE];
  expect(reverseHunk(hunk(lines)).lines).toEqual([" a", "-c", NOTE, "+b", NOTE]);
  for (const each of [lines, ["-a", "+b", "-c", "+d"], ["+a", " b", NOTE], ["-a", " b", "+c"]])
    expect(reverseHunk(reverseHunk(hunk(each)))).toEqual(hunk(each));
});
