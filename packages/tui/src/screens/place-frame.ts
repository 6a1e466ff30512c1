/** The frame around all places. */
import { filled, type Line, span, spread, toned, wrapLine } from "../draw/line.ts";
import type { Model } from "../model/model.ts";
import { type Hint, hintLine } from "./hint-line.ts";

export function titleLine(title: string, right: string, width: number): Line {
  return filled(
    toned(spread([span(` ${title}`)], right === "" ? [] : [span(`${right} `)], width), "selected"),
    width,
    "selected",
  );
}

/** The lines below everything: what was said last, and the keys. */
export function placeFooter({ toast }: Model, hints: readonly Hint[], width: number): Line[] {
  const said = toast
    ? wrapLine([span(` ${toast.text}`, toast.tone === "plain" ? "accent" : toast.tone)], width, [span(" ")]).slice(0, 3)
    : [];
  return [...said, hintLine(hints, width)];
}
