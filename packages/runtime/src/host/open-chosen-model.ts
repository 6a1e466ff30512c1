import { type Refusal, refuse } from "@retake/core";
import type { Model } from "../model/model.ts";
import { openModel } from "../model/open-model.ts";
import type { ModelSettings } from "../model/provider-access.ts";

/** The model of that name, or why there is none; looked at before anything is changed. */
export async function openChosenModel(name: string, models: ModelSettings): Promise<Model | Refusal> {
  const opened = await openModel(name, models);
  return opened.kind === "model" ? opened.model : refuse("invalid-input", opened.message, { reason: opened.code });
}
