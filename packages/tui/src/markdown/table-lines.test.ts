import fc from "fast-check";
import { expect, test } from "vitest";
import { lineText, lineWidth } from "../draw/line.ts";
import { createPaint } from "../draw/paint.ts";
import { markdownLines } from "./markdown-lines.ts";

const shown = (text: string, width: number) => markdownLines(text, width).map((line) => lineText(line).trimEnd());

test("[F66] a table has aligned columns, also with wide characters", () => {
  expect(shown("| name | 世界 |\n|---|:-:|\n| `a` | 1 |\n| longer | 二 |", 40)).toEqual([
    "name   │ 世界",
    "───────┼─────",
    "a      │ 1",
    "longer │ 二",
  ]);
});

test("[F4] the cells of a table are painted in styles that a terminal knows", () => {
  const paint = createPaint({ colour: true });
  const [, , row = []] = markdownLines("| a | b |\n|---|---|\n| one | `two` |", 40);
  expect(paint(row)).toBe("one\u001b[2m │ \u001b[0m\u001b[36mtwo\u001b[0m");
});

test("a cell that is too wide goes on below, and what only looks like a table stays as it is", () => {
  expect(shown("| a | b |\n|---|---|\n| one | two three four |", 14)).toEqual([
    "a   │ b",
    "────┼─────────",
    "one │ two",
    "    │ three",
    "    │ four",
  ]);
  expect(shown("a | b\nc | d", 20)).toEqual(["a | b", "c | d"]);
});

test("[F66] no table is wider than its room", () => {
  const cell = fc.constantFrom("", "a", "世界", "a long cell with words", "`code`", "👩‍👩‍👧", "\\|");
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
      const lines = [rows[0] ?? [], ["---", "---"], ...rows.slice(1)].map((each) => `| ${each.join(" | ")} |`);
      for (const line of markdownLines(lines.join("\n"), 40)) expect(lineWidth(line)).toBeLessThanOrEqual(40);
    }),
  );
});
