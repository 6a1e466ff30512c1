import type { Hunk } from "../review/hunks.tsx";

/** The same change in the other direction. Lines that go still stand before those that come. */
export function reverseHunk({ old_start, old_lines, new_start, new_lines, lines, edits }: Hunk): Hunk {
  const reversed: string[] = [];
  const come: string[] = [];
  let before = " ";
  for (const line of lines) {
    // A note, such as of a missing newline at the end, belongs to the line before it.
    const sign = line.startsWith("\\") ? before : line.slice(0, 1);
    const text = line.startsWith("\\") ? line : `${REVERSED[sign] ?? " "}${line.slice(1)}`;
    if (sign !== "+" && sign !== before) reversed.push(...come.splice(0));
    (sign === "-" ? come : reversed).push(text);
    before = sign;
  }
  reversed.push(...come);
  const sides = { old_start: new_start, old_lines: new_lines, new_start: old_start, new_lines: old_lines };
  return { ...sides, lines: reversed, edits };
}

const REVERSED: Readonly<Record<string, string>> = { "+": "-", "-": "+" };
