import type { Json } from "@retake/core";
import type { ConfigChange } from "./change-config.ts";
import type { Config } from "./load-config.ts";

export type { Config };

/** Reads and changes `config.toml`. The code for it is loaded on first use, because most commands do not need it. */

export async function openConfig(directory: string): Promise<Config> {
  return (await import("./load-config.ts")).loadConfig(directory);
}

/** Every value that is set, also unknown ones, by its path. */
export async function listConfig(directory: string): Promise<(readonly [readonly string[], Json])[]> {
  const { configFile, leaves, parseConfig, readConfigText } = await import("./load-config.ts");
  const file = configFile(directory);
  return [...leaves(parseConfig(file, readConfigText(file)))];
}

/** Sets a value; undefined removes it. */
export async function setConfig(
  directory: string,
  path: readonly string[],
  value: Json | undefined,
): Promise<ConfigChange> {
  return (await import("./change-config.ts")).changeConfig(directory, path, value);
}
