/** The frame around all places. */
import { filled, fit, type Line, span, spread, toned, wrapLine } from "../draw/line.ts";
import type { Model } from "../model/model.ts";
import { type Hint, hintLine } from "./hint-line.ts";
import { openQuestion } from "./question-lines.ts";

export function titleLine(title: string, right: string, width: number): Line {
  return filled(
    toned(spread([span(` ${title}`)], right === "" ? [] : [span(`${right} `)], width), "selected"),
    width,
    "selected",
  );
}

/** The lines below everything: a question that the place covers, what was said last, and the keys. */
export function placeFooter(model: Model, hints: readonly Hint[], width: number): Line[] {
  const { toast } = model;
  const question = openQuestion(model)
    ? [fit([span(" ? A question waits in the conversation", "warning")], width)]
    : [];
  const said = toast
    ? wrapLine([span(` ${toast.text}`, toast.tone === "plain" ? "accent" : toast.tone)], width, [span(" ")]).slice(0, 3)
    : [];
  return [...question, ...said, hintLine(hints, width)];
}
