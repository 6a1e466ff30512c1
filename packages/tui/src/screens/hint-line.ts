/** The last line: what the keys do in the place where the user is. The most important come first and the way out last; others are left out where there is no room. */
import { keepLine, type Line, lineWidth, type Span, span } from "../draw/line.ts";

import type { CtrlZ } from "../text/undo-words.ts";

export type Hint = readonly [key: string, does: string];

const keep = keepLine();

export function hintLine(hints: readonly Hint[], width: number): Line {
  return keep(`${width} ${hints.map((hint) => hint.join(" ")).join(", ")}`, () => makeLine(hints, width));
}

function makeLine(hints: readonly Hint[], width: number): Line {
  // The last one is the way out: it keeps its room.
  const out = hints.at(-1);
  const last = out ? hintSpans(out, "   ") : [];
  const spans: Span[] = [];
  for (const hint of hints.slice(0, -1)) {
    const next = hintSpans(hint, spans.length === 0 ? " " : "   ");
    if (lineWidth(spans) + lineWidth(next) + lineWidth(last) > width) break;
    spans.push(...next);
  }
  return out && spans.length === 0 ? hintSpans(out, " ") : [...spans, ...last];
}

function hintSpans([key, does]: Hint, gap: string): Line {
  return [span(gap), span(key, "strong"), span(` ${does}`, "quiet")];
}

/** Without the key to undo where it suspends. */
export function hintsWith(ctrlZ: CtrlZ, hints: readonly Hint[]): readonly Hint[] {
  return ctrlZ === "suspend" ? hints.filter(([key]) => key !== "Ctrl+Z") : hints;
}

/** While nothing is typed and nothing runs. */
export const WRITING_HINTS: readonly Hint[] = [
  ["Enter", "send"],
  ["Esc", "move"],
  ["Esc Esc", "take back"],
  ["Ctrl+Z", "undo"],
  ["Ctrl+Y", "redo"],
  ["Ctrl+P", "commands"],
  ["Ctrl+R", "prompts"],
  ["?", "keys"],
  ["Ctrl+C", "leave"],
];
