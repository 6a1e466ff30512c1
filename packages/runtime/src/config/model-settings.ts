import type { ModelSettings } from "../model/provider-access.ts";
import type { Environment } from "../store/directories.ts";
import { openConfig } from "./open-config.ts";

/** How models are chosen and reached: by the environment and, where it does not say, by `config.toml`. */
export async function modelSettings(directory: string, environment: Environment): Promise<ModelSettings> {
  return { environment, config: (await openConfig(directory)).models };
}
