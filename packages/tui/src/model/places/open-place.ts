import type { ListName, Model } from "../model.ts";
import { type Step, step } from "../step.ts";

/** Opens a list. By an event, so that a list can open another one without knowing all of them. */
export function openPlace(model: Model, name: ListName, about: Readonly<Record<string, string>> = {}): Step {
  return step(model, { kind: "after", id: "open", milliseconds: 0, event: { type: "open", name, about } });
}
