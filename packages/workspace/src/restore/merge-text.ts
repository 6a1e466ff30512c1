import { diffLines, type Edit } from "./diff-lines.ts";
import { isText, joinLines, LineNumbers, textLines } from "./text-lines.ts";

/**
 * Three-way merge of text. `base` is the common origin of both sides. Edits of the two sides that neither overlap nor
 * touch are both applied; where they do, both sides must have written the same.
 *
 * Touching counts as overlapping, as in git: without a common line between two edits, their order is unknown.
 */
export function mergeText(base: Buffer, ours: Buffer, theirs: Buffer, labels = defaultLabels): MergedText {
  if (!isText(base) || !isText(ours) || !isText(theirs)) return { kind: "binary" };
  if (ours.equals(theirs) || base.equals(theirs)) return { kind: "clean", content: ours };
  if (base.equals(ours)) return { kind: "clean", content: theirs };

  const lines = { base: textLines(base), ours: textLines(ours), theirs: textLines(theirs) };
  const numbers = new LineNumbers();
  const baseNumbers = numbers.of(lines.base);
  const regions = overlay(
    diffLines(baseNumbers, numbers.of(lines.ours)),
    diffLines(baseNumbers, numbers.of(lines.theirs)),
  );

  const merged: string[] = [];
  let conflicts = 0;
  let position = 0;
  for (const region of regions) {
    append(merged, lines.base, position, region.start);
    position = region.end;
    const left = lines.ours.slice(region.ours.start, region.ours.end);
    const right = lines.theirs.slice(region.theirs.start, region.theirs.end);
    if (!region.theirs.edited || sameLines(left, right)) append(merged, left);
    else if (!region.ours.edited) append(merged, right);
    else {
      conflicts += 1;
      appendConflict(merged, left, right, labels);
    }
  }
  append(merged, lines.base, position);
  const content = joinLines(merged);
  return conflicts === 0 ? { kind: "clean", content } : { kind: "conflict", marked: content, conflicts };
}

export type MergedText =
  | { readonly kind: "clean"; readonly content: Buffer }
  /** `marked` holds both versions of each conflicting place, between markers. */
  | { readonly kind: "conflict"; readonly marked: Buffer; readonly conflicts: number }
  /** One of the three is not text, or is too large to compare line by line. */
  | { readonly kind: "binary" };

export interface MergeLabels {
  readonly ours: string;
  readonly theirs: string;
}

const defaultLabels: MergeLabels = { ours: "on disk", theirs: "restored" };

/** A region of the base that at least one side edited, with each side's replacement. */
interface Region {
  readonly start: number;
  end: number;
  readonly ours: Stretch;
  readonly theirs: Stretch;
}

interface Stretch {
  edited: boolean;
  start: number;
  end: number;
}

function overlay(ours: readonly Edit[], theirs: readonly Edit[]): Region[] {
  const regions: Region[] = [];
  // Lines that a side has gained so far: converts a position in the base into one in that side.
  const gained = { ours: 0, theirs: 0 };
  const next = { ours: 0, theirs: 0 };
  for (;;) {
    const left = ours[next.ours];
    const right = theirs[next.theirs];
    if (left === undefined && right === undefined) return regions;
    const start = Math.min(left?.aStart ?? Number.POSITIVE_INFINITY, right?.aStart ?? Number.POSITIVE_INFINITY);
    const region: Region = {
      start,
      end: start,
      ours: { edited: false, start: start + gained.ours, end: 0 },
      theirs: { edited: false, start: start + gained.theirs, end: 0 },
    };
    for (let grown = true; grown; ) {
      grown = false;
      for (const [name, edits] of [["ours", ours] as const, ["theirs", theirs] as const]) {
        const edit = edits[next[name]];
        if (edit === undefined || edit.aStart > region.end) continue;
        next[name] += 1;
        gained[name] += edit.bEnd - edit.bStart - (edit.aEnd - edit.aStart);
        region[name].edited = true;
        region.end = Math.max(region.end, edit.aEnd);
        grown = true;
      }
    }
    region.ours.end = region.end + gained.ours;
    region.theirs.end = region.end + gained.theirs;
    regions.push(region);
  }
}

function appendConflict(merged: string[], left: string[], right: string[], labels: MergeLabels): void {
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  const ending = [...left, ...right, ...merged.slice(-1)].some((line) => line.endsWith("\r\n")) ? "\r\n" : "\n";
  const marker = (text: string) => {
    // Without a newline at its end, the last line would run into the marker after it.
    const last = merged.at(-1);
    if (last !== undefined && !last.endsWith("\n")) merged[merged.length - 1] = last + ending;
    merged.push(Buffer.from(text, "utf8").toString("latin1") + ending);
  };
  append(merged, left, 0, head);
  marker(`<<<<<<< ${labels.ours}`);
  append(merged, left, head, left.length - tail);
  marker("=======");
  append(merged, right, head, right.length - tail);
  marker(`>>>>>>> ${labels.theirs}`);
  append(merged, left, left.length - tail);
}

function append(merged: string[], lines: readonly string[], from = 0, to = lines.length): void {
  for (let index = from; index < to; index += 1) merged.push(lines[index] as string);
}

function sameLines(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index]);
}
