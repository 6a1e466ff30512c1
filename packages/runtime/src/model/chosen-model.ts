import { activeTake, type State, setting } from "@retake/core";
import type { ModelSettings } from "./provider-access.ts";
import { SCRIPTED_MODEL } from "./scripted-model-name.ts";

/** The name of the model that a turn runs on: what is nearest to the one who asks decides. */
export function chosenModel(
  state: State | undefined,
  asked: string | undefined,
  { environment, config }: ModelSettings,
): string {
  const set = state && setting(state, activeTake(state), "model");
  return asked ?? (set || environment["RETAKE_MODEL"] || (config?.model ?? SCRIPTED_MODEL));
}
