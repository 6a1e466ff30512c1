/** The wheel scrolls, a click goes to a row, and a drag selects lines, which `y` copies. */
import { viewOf } from "../screens/view-of.ts";
import type { InputEvent } from "../terminal/read-keys.ts";
import type { Model } from "./model.ts";
import { moveIn } from "./places/move-in.ts";
import { scroll } from "./scroll.ts";
import { type Step, step, topPlace } from "./step.ts";

const WHEEL = 3;

export function mouse(before: Model, { action, row, column }: Extract<InputEvent, { type: "mouse" }>): Step {
  // Two keys with the mouse between them are not one after the other.
  const model: Model = { ...before, lastKey: "" };
  if (action === "wheel-up" || action === "wheel-down") {
    const lines = action === "wheel-up" ? -WHEEL : WHEEL;
    return topPlace(model) ? step(moveIn(model, { scroll: lines })) : scroll(model, lines);
  }
  if (action === "press") return step({ ...model, selection: { from: row, to: row, isDone: false } });
  const { selection } = model;
  if (!selection) return step(model);
  if (action === "drag") return step({ ...model, selection: { ...selection, to: row } });
  if (selection.from !== row)
    return step({
      ...model,
      selection: { from: Math.min(selection.from, row), to: Math.max(selection.from, row), isDone: true },
    });
  return click({ ...model, selection: undefined }, row, column);
}

function click(model: Model, row: number, column: number): Step {
  const hit = viewOf(model).hits.find((each) => each.row === row && column >= each.from && column < each.to);
  if (!hit) return step(model);
  if (hit.action.kind === "select") return step(moveIn(model, { select: hit.action.index }));
  return step({ ...model, focus: hit.action.key, state: "moving" });
}
