import { promptForm } from "../text/prompt-form.ts";
import { undoWords } from "../text/undo-words.ts";
import { EMPTY_COMPOSER, withText } from "./composer.ts";
import type { Effect } from "./effect.ts";
import type { AskedFor, Model, Place } from "./model.ts";

/** The answer of `update`: the next model, and the effects. */
export interface Step {
  readonly model: Model;
  readonly effects: readonly Effect[];
}

export function step(model: Model, ...effects: readonly Effect[]): Step {
  return { model, effects };
}

const TOAST_MS = 8000;

/** One sentence above the text field, for a while. */
export function say(
  model: Model,
  said: string,
  tone: "plain" | "warning" | "error" = "plain",
  ...effects: readonly Effect[]
): Step {
  // Refusals and failures speak of commands as a shell has them.
  const text = undoWords(tone === "plain" ? said : promptForm(said), model.ctrlZ);
  const over: Effect = { kind: "after", id: "toast", milliseconds: TOAST_MS, event: { type: "toast-over", text } };
  return step({ ...model, toast: { text, tone } }, ...effects, ...(tone === "error" ? [] : [over]));
}

/** The same about a turn that runs: it is said no longer than that. */
export function sayWhile(model: Model, turn: string, text: string): Step {
  const said = say(model, text);
  return { ...said, model: { ...said.model, toast: { text, tone: "plain", turn } } };
}

export function andThen({ model, effects }: Step, next: (model: Model) => Step): Step {
  const after = next(model);
  return { model: after.model, effects: [...effects, ...after.effects] };
}

/** The text field was cleared. */
export const CLEARED = "Cleared; Ctrl+Z brings it back.";

/** A step of the thread was made that Ctrl+Z takes back, or Ctrl+Y: they do so before the edits that the field had until then. */
export function sayStep(model: Model, text: string): Step {
  return say({ ...model, composer: { ...model.composer, before: [], after: [] } }, text);
}

export function pushPlace(model: Model, place: Place): Model {
  // In a place, Ctrl+Z is of the thread.
  const toast = model.toast?.text === CLEARED ? undefined : model.toast;
  return { ...model, toast, places: [...model.places, place] };
}

/** Asks for one line of text. */
export function ask(model: Model, title: string, hint: string, asked: AskedFor, text = ""): Step {
  return step(pushPlace(model, { kind: "ask", title, hint, field: withText(EMPTY_COMPOSER, text), asked }));
}

export function popPlace(model: Model): Model {
  return { ...model, places: model.places.slice(0, -1) };
}

/** The place on top in its next form. */
export function replacePlace(model: Model, place: Place): Model {
  return { ...model, places: [...model.places.slice(0, -1), place] };
}

export function topPlace({ places }: Model): Place | undefined {
  return places.at(-1);
}
