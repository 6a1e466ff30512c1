import { type Hunk, textHunks, textLines } from "@retake/workspace";

/** Lines that changed together, with lines around them, as a unified diff has them; lines count from 1. */
export interface UnifiedHunk {
  readonly old_start: number;
  readonly old_lines: number;
  readonly new_start: number;
  readonly new_lines: number;
  /** Each with ` `, `-` or `+` before it; a last line without a line end is followed by a `\` line that says so. */
  readonly lines: readonly string[];
  /** The changes in it, by the numbers that `revert` takes as `hunks`. */
  readonly edits: readonly number[];
}

const CONTEXT = 3;

/** Undefined where one of them is not text. */
export function unifiedTexts(old: Buffer, now: Buffer): UnifiedHunk[] | undefined {
  const hunks = textHunks(old, now);
  return hunks && unifiedHunks(readableLines(old), hunks);
}

export function readableLines(content: Buffer): string[] {
  return textLines(content).map((line) => Buffer.from(line, "latin1").toString("utf8"));
}

/** `old` is every line of the older text, with its line end. */
export function unifiedHunks(old: readonly string[], hunks: readonly Hunk[]): UnifiedHunk[] {
  const near: Hunk[][] = [];
  for (const hunk of hunks) {
    const group = near.at(-1);
    const last = group?.at(-1);
    const close = last && hunk.before.start - (last.before.start + last.before.lines.length) <= 2 * CONTEXT;
    if (group && close) group.push(hunk);
    else near.push([hunk]);
  }
  return near.map((group) => unified(old, group));
}

function unified(old: readonly string[], group: readonly Hunk[]): UnifiedHunk {
  const first = group[0] as Hunk;
  const start = Math.max(0, first.before.start - CONTEXT);
  const lines: string[] = [];
  const counts = { old: 0, new: 0 };
  const add = (sign: " " | "-" | "+", text: string) => {
    lines.push(`${sign}${text.replace(/\n$/, "")}`);
    if (!text.endsWith("\n")) lines.push("\\ No newline at end of file");
    if (sign !== "+") counts.old += 1;
    if (sign !== "-") counts.new += 1;
  };
  let at = start;
  for (const { before, after } of group) {
    for (; at < before.start; at += 1) add(" ", old[at] ?? "");
    for (const line of before.lines) add("-", line);
    for (const line of after.lines) add("+", line);
    at += before.lines.length;
  }
  for (const end = Math.min(old.length, at + CONTEXT); at < end; at += 1) add(" ", old[at] ?? "");
  const new_start = first.after.start - (first.before.start - start);
  return {
    // Where a side has no lines, the line before it is named.
    old_start: counts.old === 0 ? start : start + 1,
    old_lines: counts.old,
    new_start: counts.new === 0 ? new_start : new_start + 1,
    new_lines: counts.new,
    lines,
    edits: group.map(({ index }) => index),
  };
}
