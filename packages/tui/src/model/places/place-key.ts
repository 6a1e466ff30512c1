/** Keys in a place that covers the conversation. */
import { redoStep, undoStep } from "../actions.ts";
import { composerKey, insertText } from "../composer.ts";
import type { Model } from "../model.ts";
import { popPlace, replacePlace, type Step, say, step, topPlace } from "../step.ts";
import { pastedIntoPrompt } from "../typing.ts";
import { askDone } from "./ask-place.ts";
import { listKey, ownKey } from "./list-place.ts";
import { planKey } from "./plan-place.ts";
import { fieldKey, textKey, typedOn } from "./text-key.ts";

type Key = { readonly key: string; readonly text?: string };

export function placeKey(model: Model, event: Key): Step {
  const { key, text } = event;
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
  const own = place.kind === "list" ? ownKey(model, place, key) : fieldKey(model, place, event);
  if (own) return own;
  if (key === "Ctrl+Z") return model.ctrlZ === "suspend" ? step(model, { kind: "suspend" }) : undoStep(model);
  if (key === "Ctrl+Y") return redoStep(model);
  if (place.kind === "list") return listKey(model, place, key);
  return textKey(model, place, event);
}

export function pasteIntoPlace(model: Model, text: string): Step {
  const place = topPlace(model);
  if (place?.kind === "text") return pastedIntoPrompt(typedOn(model, place), text);
  if (place?.kind !== "ask") return step(model);
  return step(replacePlace(model, { ...place, field: insertText(place.field, text.replaceAll("\n", " ")) }));
}
