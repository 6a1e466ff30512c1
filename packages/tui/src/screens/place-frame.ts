/** The frame around all places. */
import { filled, fit, type Line, span, spread, toned, wrapLine } from "../draw/line.ts";
import type { Model } from "../model/model.ts";
import { type Hint, hintLine, hintsWith } from "./hint-line.ts";
import { openQuestion } from "./question-lines.ts";

const MOST_TOAST = 3;

export function titleLine(title: string, right: string, width: number): Line {
  return filled(
    toned(spread([span(` ${title}`)], right === "" ? [] : [span(`${right} `)], width), "selected"),
    width,
    "selected",
  );
}

/** The lines below everything: a question that the place covers, what was said last, and the keys. */
export function placeFooter(model: Model, hints: readonly Hint[], width: number): Line[] {
  const question = openQuestion(model)
    ? [fit([span(" ? A question waits in the conversation", "warning")], width)]
    : [];
  return [...question, ...toastLines(model, width), hintLine(hintsWith(model.ctrlZ, hints), width)];
}

/** The toast as lines. It ends with the next step, so it is wrapped and not cut. */
export function toastLines({ toast }: Model, width: number): Line[] {
  if (!toast) return [];
  const words = span(` ${toast.text}`, toast.tone === "plain" ? "accent" : toast.tone);
  return wrapLine([words], width, [span(" ")]).slice(0, MOST_TOAST);
}
