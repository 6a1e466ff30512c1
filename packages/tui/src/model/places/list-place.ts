/** The common part of all lists: opening, loading, moving, and what is shown of the chosen item. */
import type { Effect, Tag } from "../effect.ts";
import type { ListName, ListPlace, Model } from "../model.ts";
import { popPlace, type Step, step, topPlace } from "../step.ts";
import type { ListDefinition } from "./definition.ts";
import { definitionOf } from "./definitions.ts";
import { moveIn } from "./move-in.ts";

export function listLoaded(model: Model, { name, about }: Extract<Tag, { for: "list" }>, answer: unknown): Step {
  const at = model.places.findIndex((place) => place.kind === "list" && place.name === name);
  const place = model.places[at];
  if (place?.kind !== "list") return step(model);
  const definition = definitionOf(name);
  const items = definition.items(answer, model, about);
  const chosen = place.items?.[place.selected]?.key;
  const same = items.findIndex(({ key }) => key === chosen);
  const selected =
    same >= 0
      ? same
      : place.items
        ? Math.min(place.selected, Math.max(0, items.length - 1))
        : definition.fromEnd
          ? Math.max(0, items.length - 1)
          : 0;
  const next: ListPlace = {
    ...place,
    items,
    selected,
    ...(same >= 0 ? {} : { detail: undefined, scroll: 0, hunk: 0 }),
  };
  const places = model.places.with(at, next);
  return step({ ...model, places }, ...detailEffects({ ...model, places }, next, definition));
}

export function detailLoaded(model: Model, { name, key }: Extract<Tag, { for: "detail" }>, answer: unknown): Step {
  const at = model.places.findIndex((place) => place.kind === "list" && place.name === name);
  const place = model.places[at];
  const item = place?.kind === "list" ? place.items?.[place.selected] : undefined;
  const made = item && definitionOf(name).detailOf?.(answer, item);
  if (place?.kind !== "list" || !made || item.key !== key) return step(model);
  return step({ ...model, places: model.places.with(at, { ...place, detail: { key, ...made } }) });
}

/** Reads a list again: the one with that name, or the one on top, because the thread changed. */
export function reloadPlace(model: Model, name?: ListName): Step {
  const place =
    name === undefined ? topPlace(model) : model.places.find((each) => each.kind === "list" && each.name === name);
  if (place?.kind !== "list" || place.items === undefined) return step(model);
  return step(model, definitionOf(place.name).load(model, model.thread ?? "", place.about));
}

/** A key of this one list; undefined where it has no such key. */
export function ownKey(model: Model, place: ListPlace, key: string): Step | undefined {
  return definitionOf(place.name).key(model, model.thread ?? "", place, place.items?.[place.selected], key);
}

export function listKey(model: Model, place: ListPlace, key: string): Step {
  const definition = definitionOf(place.name);
  if (key === "Escape" || key === "q") return step(popPlace(model));
  const move = MOVES[key];
  if (!move) return step(model);
  const moved = moveIn(model, move);
  const next = topPlace(moved);
  if (next?.kind !== "list" || next.selected === place.selected) return step(moved);
  return step(moved, ...detailEffects(moved, next, definition));
}

const PAGE = 15;
const MOVES: Readonly<Record<string, Parameters<typeof moveIn>[1]>> = {
  ...{ j: { by: 1 }, ArrowDown: { by: 1 }, n: { by: 1 }, k: { by: -1 }, ArrowUp: { by: -1 }, p: { by: -1 } },
  ...{ J: { by: 10 }, K: { by: -10 }, g: { by: -1e9 }, G: { by: 1e9 }, Home: { by: -1e9 }, End: { by: 1e9 } },
  ...{
    PageDown: { scroll: PAGE },
    PageUp: { scroll: -PAGE },
    "Ctrl+D": { scroll: PAGE },
    "Ctrl+U": { scroll: -PAGE },
    Space: { scroll: PAGE },
    " ": { scroll: PAGE },
  },
};

function detailEffects(model: Model, place: ListPlace, definition: ListDefinition): readonly Effect[] {
  const item = place.items?.[place.selected];
  if (!item || item.detail || model.thread === undefined) return [];
  const effect = definition.detail?.(model, model.thread, item, place.about);
  return effect ? [effect] : [];
}
