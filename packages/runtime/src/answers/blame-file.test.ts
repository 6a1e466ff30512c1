import { type Hunk, textHunks } from "@retake/workspace";
import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { type TracedLine, traceBack } from "./blame-file.ts";

describe("blame", () => {
  test("[X3] traces every line to its number before a change, or to the change", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
    fc.assert(
      fc.property(text, text, fc.func(fc.boolean()), (before, after, isWanted) => {
        const hunks = textHunks(content(before), content(after)) ?? [];
        const lines = linesOf(after.length).filter(({ line }) => isWanted(line));
        const { added, older } = traceBack(hunks, lines);
        const places = new Map(older.map(({ line, place }) => [line, place]));
        expect([...places.keys(), ...added.map(({ line }) => line)].sort((a, b) => a - b)).toEqual(
          lines.map(({ line }) => line),
        );
        for (const { line, place } of lines) expect(places.get(line)).toBe(placeBefore(hunks, place));
      }),
      cases(300),
    );
  });

  test("[S7] looks at every hunk of a change once, however many lines there are", () => {
    const count = 2000;
    let looks = 0;
    const hunks = Array.from({ length: count }, (_, index): Hunk => {
      const side = { start: 2 * index, lines: ["x"] };
      return {
        index,
        before: side,
        get after() {
          looks += 1;
          return side;
        },
      };
    });
    expect(traceBack(hunks, linesOf(2 * count)).added).toHaveLength(count);
    expect(looks).toBeLessThan(10 * count);
  });
});

/** The same rule for one line, over all hunks. */
function placeBefore(hunks: readonly Hunk[], place: number): number | undefined {
  if (hunks.some(({ after }) => place >= after.start && place < after.start + after.lines.length)) return undefined;
  const above = hunks.filter(({ after }) => after.start <= place);
  return above.reduce((sum, { before, after }) => sum + before.lines.length - after.lines.length, place);
}

function linesOf(count: number): TracedLine[] {
  return Array.from({ length: count }, (_, line) => ({ line, place: line }));
}

function content(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(""));
}
