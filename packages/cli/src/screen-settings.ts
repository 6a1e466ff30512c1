import { readFileSync } from "node:fs";
import { join } from "node:path";
import { directories } from "@retake/runtime";
import type { World } from "./world.ts";

export interface ScreenSettings {
  /** Plain lines, also where a full screen could be drawn. */
  readonly isInline: boolean;
  readonly mouse: boolean;
  readonly ctrlZ: "undo" | "suspend";
}

/**
 * The settings of the screen in `config.toml`. The first frame waits for this, so the file is parsed only where it names a key of the
 * screen. A file that cannot be read is reported by the first command that needs it.
 */
export async function screenSettings({ environment }: World): Promise<ScreenSettings> {
  const { config } = directories(environment);
  const isNamed = /\btui\b/.test(readText(join(config, "config.toml")));
  const { screen, mouse = true, ctrl_z = "undo" } = isNamed ? await configured(config) : {};
  const isInline = screen === "inline" || Boolean(environment["RETAKE_SCREEN_READER"]);
  return { isInline, mouse, ctrlZ: ctrl_z };
}

async function configured(directory: string) {
  const { readScreenConfig } = await import("./read-screen-config.ts");
  return readScreenConfig(directory);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
