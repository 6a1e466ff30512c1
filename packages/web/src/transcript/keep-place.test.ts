import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { keepPlace } from "./keep-place.ts";

describe("keepPlace", () => {
  const read = { row: "c", offset: 5 };

  test.each([
    ["rows come before all others", "abc", "xyabc", { kind: "shift" }],
    ["rows come before, and the first has another key", "abc", "xybc", { kind: "shift" }],
    ["rows come before all others and after them", "abc", "xyabcd", { kind: "go", row: "c", offset: 5 }],
    ["a row comes between rows that stay", "abc", "axbc", { kind: "go", row: "c", offset: 5 }],
    ["rows go at one end and come at the other", "abcdef", "xyabc", { kind: "go", row: "c", offset: 5 }],
    ["a row before is another one", "abc", "axc", { kind: "go", row: "c", offset: 5 }],
    ["a row before goes", "abc", "ac", { kind: "go", row: "c", offset: 5 }],
    ["the row itself goes", "abcd", "abd", { kind: "go", row: "d", offset: 0 }],
    ["rows after it change", "abcd", "abcef", { kind: "stay" }],
    ["nothing remains", "abc", "xyz", { kind: "stay" }],
  ])("when %s", (_, before, after, expected) => {
    expect(keepPlace([...before], [...after], read)).toEqual(expected);
  });

  test("the first row on the screen stays where it is, whatever comes and goes", () => {
    const key = fc.integer({ min: 0, max: 40 }).map(String);
    const keys = fc.uniqueArray(key, { maxLength: 20, size: "max" });
    const edits = fc.array(fc.tuple(fc.nat(20), fc.nat(3), key), { maxLength: 4 });
    const seen = { stay: 0, shift: 0, go: 0 };
    const example = fc.property(keys, keys, edits, fc.nat(), fc.nat(), (held, older, list, at, part) => {
      const before = held.filter((each) => !older.includes(each));
      if (before.length === 0) return;
      let after = at % 2 === 0 ? [...before] : [...older, ...before];
      for (const [where, remove, add] of list)
        after = after.toSpliced(where, remove, ...(after.includes(add) ? [] : [add]));
      const row = before[at % before.length] as string;
      const offset = part % sizeOf(row);
      const scroll = topOf(before, row) + offset;
      const keeping = keepPlace(before, after, { row, offset });
      seen[keeping.kind] += 1;
      const height = (rows: readonly string[]) => rows.reduce((sum, each) => sum + sizeOf(each), 0);
      const scrolled = {
        stay: () => scroll,
        // The list keeps its distance from the end.
        shift: () => scroll + height(after) - height(before),
        go: () => (keeping.kind === "go" ? topOf(after, keeping.row) + keeping.offset : 0),
      }[keeping.kind]();
      if (after.includes(row)) expect(scrolled - topOf(after, row)).toBe(offset);
      else if (keeping.kind === "go")
        expect(keeping).toEqual({ kind: "go", row: nextOf(before, row, after), offset: 0 });
      else if (keeping.kind === "stay") expect(nextOf(before, row, after)).toBe(undefined);
    });
    fc.assert(example, cases(300));
    expect(Math.min(seen.stay, seen.shift, seen.go)).toBeGreaterThan(0);
  });
});

/** Every row has a size of its own. */
function sizeOf(row: string): number {
  return 20 + 7 * Number(row);
}

function topOf(rows: readonly string[], row: string): number {
  return rows.slice(0, rows.indexOf(row)).reduce((sum, each) => sum + sizeOf(each), 0);
}

function nextOf(before: readonly string[], row: string, after: readonly string[]): string | undefined {
  return before.slice(before.indexOf(row)).find((each) => after.includes(each));
}
