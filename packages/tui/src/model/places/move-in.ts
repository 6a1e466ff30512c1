import { lastScroll } from "../../screens/place-view.ts";
import type { Model } from "../model.ts";
import { replacePlace, topPlace } from "../step.ts";

/** Moves in the place on top: by items, to one, or the text beside them. */
export function moveIn(
  model: Model,
  move: { readonly by?: number; readonly select?: number; readonly scroll?: number },
): Model {
  const place = topPlace(model);
  if (!place || place.kind === "ask") return model;
  if (move.scroll !== undefined) {
    const last = lastScroll(model, place);
    const scroll = Math.min(place.scroll, last) + move.scroll;
    return replacePlace(model, { ...place, scroll: Math.max(0, Math.min(scroll, last)) });
  }
  if (place.kind === "text") return model;
  const count = place.kind === "list" ? (place.items?.length ?? 0) : (place.plan?.conflicts?.length ?? 0);
  const selected = Math.max(0, Math.min(count - 1, move.select ?? place.selected + (move.by ?? 0)));
  if (place.kind === "plan") return replacePlace(model, { ...place, selected, scroll: 0 });
  return selected === place.selected
    ? model
    : replacePlace(model, { ...place, selected, scroll: 0, hunk: 0, detail: undefined });
}
