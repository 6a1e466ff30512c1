/**
 * The bytes that turn one frame on the terminal into the next: only lines that differ are written, in one synchronised update
 * (mode 2026), so that nothing flickers. Nothing differs: no byte.
 */
export interface DrawnFrame {
  /** Painted lines, one for each row of the terminal. */
  readonly lines: readonly string[];
  /** Where typing goes on, from 0; hidden where there is none. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";

/** `before` is undefined where it is not known what the terminal shows: all of it is written. */
export function frameDiff(before: DrawnFrame | undefined, after: DrawnFrame): string {
  let changes = before ? "" : "\u001b[H\u001b[2J";
  for (const [row, text] of after.lines.entries()) {
    if (before ? before.lines[row] === text : text === "") continue;
    changes += `\u001b[${row + 1};1H${text}\u001b[K`;
  }
  const cursor = cursorBytes(after);
  if (changes === "" && before && cursorBytes(before) === cursor) return "";
  return `${BEGIN}\u001b[?25l${changes}${cursor}${END}`;
}

function cursorBytes({ cursor }: DrawnFrame): string {
  return cursor ? `\u001b[${cursor.row + 1};${cursor.column + 1}H\u001b[?25h` : "";
}
