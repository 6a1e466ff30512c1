import { shownRows } from "../../screens/transcript.ts";
import type { ListName, Model } from "../model.ts";
import { ask, pushPlace, type Step, say, step } from "../step.ts";
import { definitionOf } from "./definitions.ts";

export function openedPlace(model: Model, name: ListName, given: Readonly<Record<string, string>>): Step {
  const { thread } = model;
  if (thread === undefined && name !== "threads" && name !== "search")
    return say(model, "There is no thread yet: write a prompt.", "warning");
  if (name === "search" && given["words"] === undefined)
    return ask(model, "Search all threads", "words that were said", { what: "search" });
  const about = name === "review" && Object.keys(given).length === 0 ? lastTurn(model) : given;
  const definition = definitionOf(name);
  // A list that is open already is not opened twice.
  const places = model.places.filter((place) => place.kind !== "list" || place.name !== name);
  const place = {
    kind: "list",
    name,
    title: definition.title(about),
    about,
    items: undefined,
    selected: 0,
    detail: undefined,
    scroll: 0,
    hunk: 0,
  } as const;
  return step(pushPlace({ ...model, places }, place), definition.load(model, thread ?? "", about));
}

function lastTurn(model: Model): Readonly<Record<string, string>> {
  const last = shownRows(model).findLast((row) => row.kind === "turn");
  return last ? { from: `${last.name}^`, to: last.name, turn: last.name } : {};
}
