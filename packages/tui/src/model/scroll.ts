import { talkLayout } from "../screens/talk.ts";
import { scrolled, transcript } from "../screens/transcript.ts";
import type { Effect } from "./effect.ts";
import type { Model } from "./model.ts";
import { type Step, step } from "./step.ts";

/** So many entries more are read when the beginning of the window is reached. */
const MORE = 200;

export function scroll(model: Model, by: number | "page-up" | "page-down" | "half-up" | "half-down" | "end"): Step {
  const { width, height } = talkLayout(model);
  if (by === "end") return step(withSeenFocus({ ...model, anchor: undefined }, "last"));
  const page = Math.max(1, height - 2);
  const lines =
    typeof by === "number"
      ? by
      : { "page-up": -page, "page-down": page, "half-up": -Math.ceil(page / 2), "half-down": Math.ceil(page / 2) }[by];
  const next = withSeenFocus({ ...model, anchor: scrolled(model, lines, width, height) }, lines < 0 ? "last" : "first");
  const isAtStart = lines < 0 && transcript(next, width, height).isAtStart;
  return step(next, ...(isAtStart ? moreBefore(model) : []));
}

/** While rows can have the focus: keys act on that row, so one on the screen has it, the first or the last where it was none of them. */
export function withSeenFocus(model: Model, otherwise: "first" | "last"): Model {
  if (model.state !== "moving") return model;
  const { width, height } = talkLayout(model);
  const { lines } = transcript(model, width, height);
  if (lines.some(({ row }) => row === model.focus)) return model;
  return { ...model, focus: lines.at(otherwise === "first" ? 0 : -1)?.row };
}

/** Reads what lies before the window, where there is something. */
export function moreBefore({ view }: Model): readonly Effect[] {
  if (!view || view.previous === null) return [];
  const { from, to, groups } = view;
  return [{ kind: "show", window: { from, to, groups, more_before: MORE } }];
}
