import { call, changedTag } from "../effect.ts";
import type { Model } from "../model.ts";
import { type Step, step } from "../step.ts";

/** Changes a setting of the take; the list of settings shows it. */
export function changeSetting(model: Model, thread: string, field: string, value: unknown): Step {
  const tag = changedTag(`Changed ${field}`, "settings");
  return step(model, call("changeSettings", [thread, { [field]: value } as never], tag));
}
