import type { Environment, ModelSettings } from "../model/provider-access.ts";
import { openConfig } from "./open-config.ts";

/** How models are chosen and reached: what the environment says, and where it says nothing, `config.toml`. */
export async function modelSettings(directory: string, environment: Environment): Promise<ModelSettings> {
  return { environment, config: (await openConfig(directory)).models };
}
