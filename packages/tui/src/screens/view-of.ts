import { fit, toned } from "../draw/line.ts";
import type { Model } from "../model/model.ts";
import { placeView } from "./place-view.ts";
import { talkView } from "./talk.ts";
import type { View } from "./view.ts";

/** The whole screen of a model: exactly as many lines as the terminal has rows. */
export function viewOf(model: Model): View {
  const { columns, rows } = model.size;
  const place = model.places.at(-1);
  const { lines, cursor, hits } = place ? placeView(model, place) : talkView(model);
  const { selection } = model;
  const [first, last] = selection
    ? [Math.min(selection.from, selection.to), Math.max(selection.from, selection.to)]
    : [-1, -1];
  const shown = Array.from({ length: rows }, (_, at) => {
    const each = fit(lines[at] ?? [], columns);
    return at >= first && at <= last && first !== last ? toned(each, "selected") : each;
  });
  return { lines: shown, cursor: cursor && cursor.row < rows ? cursor : undefined, hits };
}
