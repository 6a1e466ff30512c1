import { describe, expect, test } from "vitest";
import { mergeHunks, type Use } from "./merge-hunks.ts";

const NOTE = "\\ No newline at end of file";
const MINE = "a\nb\nc\nd\ne\nmine\n";
const OVERLAPS = [
  { old_start: 1, old_lines: 2, new_start: 1, lines: [" a", "-b", "+B"] },
  { old_start: 5, old_lines: 2, new_start: 5, lines: [" e", "-mine", "+theirs", "+more"] },
];

describe("the result of a conflict", () => {
  const merged = (...uses: [number, Use][]) => mergeHunks(MINE, OVERLAPS, new Map(uses));

  test("[X1] has the chosen side of each overlap, and is the present text without a choice", () => {
    expect(merged()).toBe(MINE);
    expect(merged([0, "mine"], [1, "mine"])).toBe(MINE);
    expect(merged([0, "theirs"])).toBe("a\nB\nc\nd\ne\nmine\n");
    expect(merged([0, "theirs"], [1, "theirs"])).toBe("a\nB\nc\nd\ne\ntheirs\nmore\n");
    expect(merged([1, "both"])).toBe("a\nb\nc\nd\ne\nmine\ntheirs\nmore\n");
  });

  test("adds and removes lines where one side has none, and keeps ends without a newline", () => {
    const added = [{ old_start: 2, old_lines: 0, new_start: 3, lines: ["+new"] }];
    expect(mergeHunks("a\nb\nc\n", added, new Map([[0, "theirs"]]))).toBe("a\nb\nnew\nc\n");
    const all = [{ old_start: 1, old_lines: 1, new_start: 1, lines: ["-mine", NOTE, "+theirs", NOTE] }];
    expect(mergeHunks("mine", all, new Map([[0, "theirs"]]))).toBe("theirs");
    expect(mergeHunks("mine", all, new Map([[0, "both"]]))).toBe("mine\ntheirs");
    const emptied = [{ old_start: 1, old_lines: 1, new_start: 0, lines: ["-mine"] }];
    expect(mergeHunks("mine\n", emptied, new Map([[0, "theirs"]]))).toBe("");
  });
});
