/**
 * The material of a screen: lines of spans. A span is text in one style, and a style is a word, not a colour: `paint.ts`
 * knows the colours. Foreign text becomes harmless and gets its width here, before anything is measured.
 */
import { clusters, textWidth, visible } from "../text/index.ts";

export type Tone =
  | "plain"
  | "strong"
  | "quiet"
  | "accent"
  | "added"
  | "removed"
  | "warning"
  | "error"
  | "good"
  | "heading"
  | "code"
  | "keyword"
  | "string"
  | "selected"
  | "struck";

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

export type Line = readonly Span[];

/** A tab goes to the next of these columns. */
const TAB = 4;

/** A text in one tone. Line ends in it are shown: whoever has several lines makes several. */
export function span(text: string, tone: Tone = "plain"): Span {
  if (PLAIN.test(text)) return { text, tone };
  return { text: visible(text).replaceAll("\n", "␊").replaceAll("\t", " ".repeat(TAB)), tone };
}

const PLAIN = /^[ -~]*$/;

export function line(...parts: readonly (string | Span)[]): Line {
  return parts.map((part) => (typeof part === "string" ? span(part) : part)).filter(({ text }) => text !== "");
}

export function lineWidth(spans: Line): number {
  let sum = 0;
  for (const each of spans) sum += spanWidth(each);
  return sum;
}

/** Spans never change, and most of a frame was in the one before. */
const widths = new WeakMap<Span, number>();

function spanWidth(each: Span): number {
  const known = widths.get(each);
  if (known !== undefined) return known;
  const width = textWidth(each.text);
  widths.set(each, width);
  return width;
}

/** Keeps the last line that was made, and gives it again for the same key: most of a frame was in the one before. */
export function keepLine(): (key: string, make: () => Line) => Line {
  let last: { readonly key: string; readonly line: Line } | undefined;
  return (key, make) => {
    if (last?.key !== key) last = { key, line: make() };
    return last.line;
  };
}

export function lineText(spans: Line): string {
  return spans.map(({ text }) => text).join("");
}

/** The part of a line that has room, with `…` where something was left out. */
export function fit(spans: Line, width: number): Line {
  if (lineWidth(spans) <= width) return spans;
  const found: Span[] = [];
  let room = Math.max(0, width - 1);
  for (const { text, tone } of spans) {
    let part = "";
    for (const cluster of clusters(text)) {
      const taken = textWidth(cluster);
      if (taken > room) {
        found.push({ text: width > 0 ? `${part}…` : "", tone });
        return found;
      }
      part += cluster;
      room -= taken;
    }
    found.push({ text: part, tone });
  }
  return found;
}

/** Two texts in one line: the second stands at its right end, and gives way where there is no room. */
export function spread(left: Line, right: Line, width: number): Line {
  const room = width - lineWidth(right) - 2;
  if (lineWidth(right) === 0) return fit(left, width);
  if (room < Math.min(12, lineWidth(left))) return fit(left, width);
  const cut = fit(left, room);
  return [...cut, { text: " ".repeat(width - lineWidth(cut) - lineWidth(right)), tone: "plain" }, ...right];
}

/** The line with spaces after it until it is so wide. */
export function filled(spans: Line, width: number, tone: Tone = "plain"): Line {
  const room = width - lineWidth(spans);
  return room > 0 ? [...spans, { text: " ".repeat(room), tone }] : fit(spans, width);
}

/** Every span of the line in one tone. */
export function toned(spans: Line, tone: Tone): Line {
  return spans.map(({ text }) => ({ text, tone }));
}

/**
 * The line in lines that fit, broken at spaces, and inside a word that is wider than a line. Lines after the first begin
 * with `indent`.
 */
export function wrapLine(spans: Line, width: number, indent: Line = []): Line[] {
  if (width <= 0) return [[]];
  if (lineWidth(spans) <= width) return [spans];
  const lines: Span[][] = [];
  const lead = lineWidth(indent) < width ? indent : [];
  let current: Span[] = [];
  let taken = 0;
  let isFresh = true;
  const push = () => {
    lines.push(current);
    current = [...lead];
    taken = lineWidth(lead);
    isFresh = true;
  };
  const add = (text: string, tone: Tone, wide: number) => {
    const last = current.at(-1);
    if (last && last.tone === tone && !(lead.length > 0 && current.length === lead.length))
      current[current.length - 1] = { text: last.text + text, tone };
    else current.push({ text, tone });
    taken += wide;
    isFresh = false;
  };
  for (const { text, tone } of spans) {
    for (const [piece] of text.matchAll(/ +|[^ ]+/g)) {
      const wide = textWidth(piece);
      const isSpace = piece.startsWith(" ");
      if (taken + wide <= width) {
        if (!(isSpace && isFresh && lines.length > 0)) add(piece, tone, wide);
        continue;
      }
      if (isSpace) {
        push();
        continue;
      }
      if (!isFresh) push();
      if (taken + wide <= width) {
        add(piece, tone, wide);
        continue;
      }
      for (const cluster of clusters(piece)) {
        const clusterWide = textWidth(cluster);
        if (taken + clusterWide > width && !isFresh) push();
        add(cluster, tone, clusterWide);
      }
    }
  }
  if (!isFresh || lines.length === 0) lines.push(current);
  return lines;
}
