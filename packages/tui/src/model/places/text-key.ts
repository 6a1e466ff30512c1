/**
 * Keys while lines are shown to read. As in the conversation below, in typing no letter is a command: what is typed goes into the
 * prompt, whose field then opens below the lines. So a prompt that is typed right after a command loses no letter. In moving,
 * letters scroll and close.
 */
import { isTakenByEnter } from "../complete.ts";
import type { Model, TextPlace } from "../model.ts";
import { popPlace, replacePlace, type Step, say, step } from "../step.ts";
import { typingKey } from "../typing.ts";
import { moveIn } from "./move-in.ts";
import { quote } from "./text-place.ts";

type Key = { readonly key: string; readonly text?: string };

/** A key for the field that is open below the lines; undefined where it is none. */
export function fieldKey(model: Model, place: TextPlace, event: Key): Step | undefined {
  const { composer, completion, prompts } = model;
  const { key } = event;
  if (!place.isTypedOn) return undefined;
  if (prompts.search !== undefined || (completion && key === "Tab")) return typingKey(model, event);
  if (completion && key === "Escape") return step({ ...model, completion: undefined });
  if (OF_THE_LINES.has(key) || (key === "?" && composer.text === "")) return undefined;
  if (key === "Ctrl+Z" && composer.before.length === 0) return undefined;
  if (key === "Ctrl+Y" && composer.after.length === 0) return undefined;
  if (key !== "Enter" || isTakenByEnter(model)) return typingKey(model, event);
  if (composer.text.trim() === "") return undefined;
  return isHeld(place)
    ? say(model, "The command still runs: Esc ends it, and your prompt stays.", "warning")
    : typingKey(popPlace(model), event);
}

export function textKey(model: Model, place: TextPlace, event: Key): Step {
  const { key, text } = event;
  const isMoving = model.state === "moving";
  if (key === "Escape" || (isMoving && key === "q"))
    return isHeld(place) ? step(model, { kind: "end-shell" }) : step(popPlace(model));
  const scroll = SCROLLS[key] ?? (isMoving ? LETTERS[key] : undefined);
  if (scroll !== undefined) return step(moveIn(model, { scroll }));
  const isAboutKeys = key === "?" && model.composer.text === "";
  if (isHeld(place) && (key === "Enter" || key === "Tab" || isAboutKeys)) return step(model);
  if (key === "Enter") return step(popPlace(model));
  if (key === "Tab") return place.quoted === "" ? step({ ...popPlace(model), state: "typing" }) : quote(model, place);
  if (isAboutKeys) return typingKey(popPlace(model), event);
  if (text === undefined) return step(model);
  return typingKey(typedOn({ ...model, state: "typing" }, place), event);
}

/** Opens the field of the prompt below the lines. */
export function typedOn(model: Model, place: TextPlace): Model {
  return replacePlace(model, { ...place, isTypedOn: true });
}

/** A shell command stays on the screen while it runs: nothing else could end it. */
function isHeld({ isRunning, isShell }: TextPlace): boolean {
  return isRunning && isShell;
}

const OF_THE_LINES: ReadonlySet<string> = new Set(["Escape", "Tab", "PageUp", "PageDown"]);

const SCROLLS: Readonly<Record<string, number>> = {
  ...{ ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, " ": 15, "Ctrl+D": 15, "Ctrl+U": -15 },
  ...{ Home: -1e9, End: 1e9 },
};
const LETTERS: Readonly<Record<string, number>> = { j: 1, k: -1, g: -1e9, G: 1e9 };
