/** A table of Markdown with aligned columns. A cell that is too wide for its column goes on in the next line. */
import { filled, type Line, lineWidth, span, toned, wrapLine } from "../draw/line.ts";

const RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const LEAST = 3;

/** How many of the lines are a table that begins at one of them; 0 where none does. */
export function tableLength(lines: readonly string[], at: number): number {
  const rule = lines[at + 1] ?? "";
  if (!lines[at]?.includes("|") || !rule.includes("-") || !rule.includes("|") || !RULE.test(rule)) return 0;
  const end = lines.findIndex((each, index) => index > at + 1 && !each.includes("|"));
  return (end < 0 ? lines.length : end) - at;
}

/** `cell` makes the text of a cell a line. */
export function tableLines(lines: readonly string[], width: number, cell: (text: string) => Line): Line[] {
  const rows = [lines[0] ?? "", ...lines.slice(2)].map((each) => cellsOf(each).map((text) => cell(text)));
  const count = Math.max(...rows.map(({ length }) => length));
  const wanted = Array.from({ length: count }, (_, column) =>
    Math.max(LEAST, ...rows.map((row) => lineWidth(row[column] ?? []))),
  );
  const widths = narrowed(wanted, Math.max(count * LEAST, width - 3 * (count - 1)));
  const rule: Line = [span(widths.map((wide) => "─".repeat(wide)).join("─┼─"), "quiet")];
  const made = rows.map((row, index) => rowLines(index === 0 ? row.map((each) => toned(each, "strong")) : row, widths));
  return made.flatMap((each, index) => (index === 0 ? [...each, rule] : each));
}

function cellsOf(text: string): string[] {
  return text
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((each) => each.trim().replaceAll("\\|", "|"));
}

/** The widest columns give way until all have room. */
function narrowed(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted];
  for (let sum = widths.reduce((all, each) => all + each, 0); sum > room; sum -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= LEAST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function rowLines(row: readonly Line[], widths: readonly number[]): Line[] {
  const cells = widths.map((wide, column) => wrapLine(row[column] ?? [], wide));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) =>
    cells.flatMap((lines, column): Line => {
      const text = lines[at] ?? [];
      const gap = column === 0 ? [] : [span(" │ ", "quiet")];
      return [...gap, ...(column === cells.length - 1 ? text : filled(text, widths[column] ?? 0))];
    }),
  );
}
