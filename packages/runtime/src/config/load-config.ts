import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json, type JsonObject } from "@retake/core";
import { parse, TomlError } from "smol-toml";
import type { Price } from "../model/cost.ts";
import type { ConfiguredModels } from "../model/model-facts.ts";
import type { ModelConfig } from "../model/provider-access.ts";
import { valueProblem } from "./config-keys.ts";
import { type McpServerConfig, readServerConfig } from "./server-config.ts";

/** The content of `config.toml`. Unknown keys are left alone, for other versions. */
export interface Config extends ConfiguredModels {
  readonly models: ModelConfig;
  readonly mcp: Readonly<Record<string, McpServerConfig>>;
  readonly agent: AgentConfig;
  readonly tui: ScreenConfig;
  /** Names in the environment that tools see although they look like secrets. */
  readonly tool_environment: readonly string[];
}

export interface AgentConfig {
  /** Dollars that a thread may cost before its turns stop and ask; undefined for no limit. */
  readonly budget?: number;
  readonly titles?: boolean;
}

/** How the terminal's screen behaves. */
export interface ScreenConfig {
  readonly screen?: "full" | "inline";
  readonly mouse?: boolean;
  readonly ctrl_z?: "undo" | "suspend";
}

/** The file cannot be read or parsed. It is not changed. */
export class ConfigError extends Error {
  readonly code: "config-unreadable" | "config-malformed";

  constructor(code: ConfigError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConfigError";
    this.code = code;
  }
}

export function configFile(directory: string): string {
  return join(directory, "config.toml");
}

/** Throws a `ConfigError` that names the place, rather than ignoring a setting of the user. */
export function loadConfig(directory: string): Config {
  const file = configFile(directory);
  return readConfig(file, readConfigText(file));
}

/** Empty when there is no file. */
export function readConfigText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new ConfigError(
      "config-unreadable",
      `${file} cannot be read: ${(cause as Error).message}. Nothing was changed.`,
      { cause },
    );
  }
}

export function parseConfig(file: string, text: string): JsonObject {
  try {
    return parse(text) as JsonObject;
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const what = cause.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "");
    throw malformed(file, `line ${cause.line}, column ${cause.column}: ${what}`, cause);
  }
}

function readConfig(file: string, text: string): Config {
  const said = parseConfig(file, text);
  for (const [path, value] of leaves(said)) {
    const problem = valueProblem(path, value);
    if (problem) throw malformed(file, `${path.join(".")} ${problem}`);
  }
  const mcp = Object.entries(section(said, "mcp")).map(([name, value]) => {
    const server = readServerConfig(value);
    if (typeof server === "string") throw malformed(file, `[mcp.${name}] ${server}`);
    return [name, server] as const;
  });
  return {
    models: {
      ...(typeof said["model"] === "string" ? { model: said["model"] } : {}),
      providers: section(said, "providers") as ModelConfig["providers"],
    },
    prices: section(said, "prices") as Readonly<Record<string, Price>>,
    context_windows: section(said, "context_windows") as Readonly<Record<string, number>>,
    output_limits: section(said, "output_limits") as Readonly<Record<string, number>>,
    thinking_budgets: section(said, "thinking_budgets") as Readonly<Record<string, number>>,
    mcp: Object.fromEntries(mcp),
    agent: section(said, "agent") as AgentConfig,
    tui: section(said, "tui") as ScreenConfig,
    tool_environment: (section(said, "tools")["environment"] ?? []) as readonly string[],
  };
}

function section(said: JsonObject, name: string): JsonObject {
  const value = said[name];
  return isObject(value) ? (value as JsonObject) : {};
}

/** Every value that is not a table, with its path. */
export function* leaves(value: Json, path: readonly string[] = []): Iterable<readonly [readonly string[], Json]> {
  if (!isObject(value)) yield [path, value];
  else for (const [name, each] of Object.entries(value as JsonObject)) yield* leaves(each, [...path, name]);
}

function malformed(file: string, why: string, cause?: unknown): ConfigError {
  const message = `${file} is not understood: ${why}. It was left as it is; mend it, or move it away.`;
  return new ConfigError("config-malformed", message, { cause });
}
