import { expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { takeBackHunks, textHunks } from "./text-hunks.ts";

const before = Buffer.from("a\nb\nc\nd\né\n");
const after = Buffer.from("a\nB\nc\nd\nx\ny\né\n");

test("[X3] shows the changes as text, hunk by hunk", () => {
  expect(textHunks(before, after)).toEqual([
    { index: 0, before: { start: 1, lines: ["b\n"] }, after: { start: 1, lines: ["B\n"] } },
    { index: 1, before: { start: 4, lines: [] }, after: { start: 4, lines: ["x\n", "y\n"] } },
  ]);
  expect(textHunks(Buffer.from("\0"), after)).toBeUndefined();
});

test("[X3] takes back the chosen hunks and keeps the others", () => {
  expect(takeBackHunks(before, after, [0])?.toString()).toBe("a\nb\nc\nd\nx\ny\né\n");
  expect(takeBackHunks(before, after, [1])?.toString()).toBe("a\nB\nc\nd\né\n");
  expect(takeBackHunks(before, after, [])).toEqual(after);
  expect(takeBackHunks(before, after, [2])).toBeUndefined();
});

test("[X3] taking back every hunk gives the previous version, for any two versions", () => {
  const version = fc
    .array(fc.constantFrom("a", "b", "c\r", ""), { maxLength: 30 })
    .map((lines) => Buffer.from(lines.join("\n")));
  fc.assert(
    fc.property(version, version, (one, two) => {
      const hunks = textHunks(one, two) ?? [];
      expect(
        takeBackHunks(
          one,
          two,
          hunks.map(({ index }) => index),
        ),
      ).toEqual(one);
      const added = hunks.reduce((sum, hunk) => sum + hunk.after.lines.length - hunk.before.lines.length, 0);
      expect(countLines(two) - countLines(one)).toBe(added);
    }),
    cases(500, 50_000),
  );
});

test("[X3] the hunks of a huge file with few different lines lead back to the previous version too", () => {
  const version = (factor: number) =>
    Buffer.from(Array.from({ length: 300_000 }, (_, line) => `${(line * line * factor) % 7}\n`).join(""));
  const [one, two] = [version(3), version(5)];
  const hunks = textHunks(one, two) ?? [];
  const all = hunks.map(({ index }) => index);
  expect(takeBackHunks(one, two, all)?.equals(one)).toBe(true);
  expect(takeBackHunks(one, two, [])?.equals(two)).toBe(true);
  // The last alone: all lines before it are one part.
  expect(takeBackHunks(one, two, all.slice(-1))).toBeDefined();
});

function countLines(text: Buffer): number {
  return text.toString().split("\n").length - (text.toString().endsWith("\n") || text.length === 0 ? 1 : 0);
}
