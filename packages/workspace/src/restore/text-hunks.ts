import { diffLines, type Edit } from "./diff-lines.ts";
import { isText, joinLines, LineNumbers, textLines } from "./text-lines.ts";

/** The changes between two versions of a text, hunk by hunk; `undefined` if either is not text. */
export function textHunks(before: Buffer, after: Buffer): Hunk[] | undefined {
  if (!isText(before) || !isText(after)) return undefined;
  const { old, edits, now } = compare(before, after);
  return edits.map((edit, index) => ({
    index,
    before: { start: edit.aStart, lines: old.slice(edit.aStart, edit.aEnd).map(readable) },
    after: { start: edit.bStart, lines: now.slice(edit.bStart, edit.bEnd).map(readable) },
  }));
}

/**
 * Lines `before` that became lines `after`. `start` counts from 0; for an empty range it is the position where lines
 * would be.
 */
export interface Hunk {
  /** Identifies the hunk: two versions always have the same hunks. */
  readonly index: number;
  readonly before: { readonly start: number; readonly lines: readonly string[] };
  readonly after: { readonly start: number; readonly lines: readonly string[] };
}

/** `after` with only the chosen hunks taken back; `undefined` if a hunk does not exist or a version is not text. */
export function takeBackHunks(before: Buffer, after: Buffer, chosen: readonly number[]): Buffer | undefined {
  if (!isText(before) || !isText(after)) return undefined;
  const { old, edits, now } = compare(before, after);
  if (chosen.some((index) => edits[index] === undefined)) return undefined;
  const wanted = new Set(chosen);
  const parts: string[][] = [];
  let position = 0;
  for (const [index, edit] of edits.entries()) {
    if (!wanted.has(index)) continue;
    parts.push(now.slice(position, edit.bStart), old.slice(edit.aStart, edit.aEnd));
    position = edit.bEnd;
  }
  return joinLines([...parts, now.slice(position)].flat());
}

function compare(before: Buffer, after: Buffer): { old: string[]; now: string[]; edits: Edit[] } {
  const old = textLines(before);
  const now = textLines(after);
  const numbers = new LineNumbers();
  return { old, now, edits: diffLines(numbers.of(old), numbers.of(now)) };
}

function readable(line: string): string {
  return Buffer.from(line, "latin1").toString("utf8");
}
