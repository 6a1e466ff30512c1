import { activeTake, type State, setting } from "@retake/core";
import type { ModelSettings } from "./provider-access.ts";
import { SCRIPTED_MODEL } from "./scripted-model-name.ts";

/** The name of the model for a turn: the most specific choice wins. */
export function chosenModel(
  state: State | undefined,
  asked: string | undefined,
  { environment, config }: ModelSettings,
): string {
  const set = state && setting(state, activeTake(state), "model");
  return asked ?? (set || environment["RETAKE_MODEL"] || (config?.model ?? SCRIPTED_MODEL));
}
