import type { HunkLines } from "../review/number-lines.ts";

/** Which side of an overlap the result has. */
export type Use = "mine" | "theirs" | "both";

interface Overlap extends HunkLines {
  readonly old_lines: number;
}

const SIGNS: Readonly<Record<Use, string>> = { mine: " -", theirs: " +", both: " -+" };

/** A text with the chosen side of each of its overlaps with another. Without a choice, an overlap stays as it is. */
export function mergeHunks(mine: string, overlaps: readonly Overlap[], uses: ReadonlyMap<number, Use>): string {
  const lines = mine.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  overlaps.forEach(({ old_start, old_lines, lines: shown }, index) => {
    // Where a side has no lines, the line before it is named.
    const start = old_lines === 0 ? old_start : old_start - 1;
    result.push(...lines.slice(at, start));
    at = start + old_lines;
    const signs = SIGNS[uses.get(index) ?? "mine"];
    shown.forEach((line, position) => {
      if (!signs.includes(line.slice(0, 1))) return;
      const ends = shown[position + 1]?.startsWith("\\") !== true;
      result.push(`${line.slice(1)}${ends ? "\n" : ""}`);
    });
  });
  result.push(...lines.slice(at));
  // A last line without a newline gets one where another follows.
  return result.map((line, index) => (index < result.length - 1 && !line.endsWith("\n") ? `${line}\n` : line)).join("");
}
