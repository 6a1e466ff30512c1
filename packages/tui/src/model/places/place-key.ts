/** Keys in a place that covers the conversation. */

import { redoStep, undoStep } from "../actions.ts";
import { composerKey, insertText } from "../composer.ts";
import type { Model } from "../model.ts";
import { popPlace, replacePlace, type Step, say, step, topPlace } from "../step.ts";
import { askDone } from "./ask-place.ts";
import { listKey, ownKey } from "./list-place.ts";
import { moveIn } from "./move-in.ts";
import { planKey } from "./plan-place.ts";
import { quote } from "./text-place.ts";

type Key = { readonly key: string; readonly text?: string };

export function placeKey(model: Model, { key, text }: Key): Step {
  const place = topPlace(model);
  if (!place) return step(model);
  if (place.kind === "ask") {
    if (key === "Escape") return step(popPlace(model));
    if (key === "Enter") {
      const text = place.field.text.trim();
      const isNumber = place.asked.what !== "setting" || !place.asked.isNumber || /^-?\d+(?:\.\d+)?$/.test(text);
      if (!isNumber) return say(model, `'${text}' is not a number. Nothing was changed.`, "warning");
      return askDone(popPlace(model), place.asked, text);
    }
    const field = text === undefined ? composerKey(place.field, key) : insertText(place.field, text);
    return step(field ? replacePlace(model, { ...place, field }) : model);
  }
  // Nothing but the plan itself is done while it is looked at.
  if (place.kind === "plan") return planKey(model, place, key);
  const own = place.kind === "list" ? ownKey(model, place, key) : undefined;
  if (own) return own;
  if (key === "Ctrl+Z") return model.ctrlZ === "suspend" ? step(model, { kind: "suspend" }) : undoStep(model);
  if (key === "Ctrl+Y") return redoStep(model);
  if (place.kind === "list") return listKey(model, place, key);
  // A shell command stays on the screen while it runs: nothing else could end it.
  if (place.isRunning && place.isShell && (key === "Escape" || key === "q")) return step(model, { kind: "end-shell" });
  if (place.isRunning && place.isShell && key === "Enter") return step(model);
  if (key === "Escape" || key === "q" || key === "Enter") return step(popPlace(model));
  if (key === "p" && place.quoted !== "") return quote(model, place);
  const move = SCROLLS[key];
  return step(move === undefined ? model : moveIn(model, { scroll: move }));
}

export function pasteIntoPlace(model: Model, text: string): Step {
  const place = topPlace(model);
  if (place?.kind !== "ask") return step(model);
  return step(replacePlace(model, { ...place, field: insertText(place.field, text.replaceAll("\n", " ")) }));
}

const SCROLLS: Readonly<Record<string, number>> = {
  ...{ j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 15, PageUp: -15, " ": 15, "Ctrl+D": 15, "Ctrl+U": -15 },
  ...{ g: -1e9, Home: -1e9, G: 1e9, End: 1e9 },
};
