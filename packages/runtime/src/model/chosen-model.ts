import { activeTake, type State, setting } from "@retake/core";
import type { Environment } from "./provider-access.ts";
import { SCRIPTED_MODEL } from "./scripted-model.ts";

/** The name of the model that a turn runs on: the one asked for, the take's, the environment's, the embedded one. */
export function chosenModel(state: State | undefined, asked: string | undefined, environment: Environment): string {
  const set = state && setting(state, activeTake(state), "model");
  return asked ?? (set || environment["RETAKE_MODEL"] || SCRIPTED_MODEL);
}
