import { activeTake, type State, setting } from "@retake/core";
import type { Environment } from "./provider-access.ts";
import { SCRIPTED_MODEL } from "./scripted-model.ts";

/** The name of the model that a turn runs on: the one asked for, the take's, the environment's, the embedded one. */
export function chosenModel(state: State, asked: string | undefined, environment: Environment): string {
  return asked ?? (setting(state, activeTake(state), "model") || environment["RETAKE_MODEL"] || SCRIPTED_MODEL);
}
