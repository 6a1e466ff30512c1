import type { Json } from "@retake/core";
import { CONFIG_KEYS, type ConfigKey, configKey, directories, keyPath, listConfig, setConfig } from "@retake/runtime";
import { type Call, type Command, CommandError, EXIT, notFound, wrongUsage } from "../command.ts";
import { readText } from "../read-text.ts";

export const command: Command = {
  name: "config",
  group: "setup",
  summary: "Show or set keys, addresses and prices of providers, and the default model; keys are never shown again",
  usage: "[key [value | -]]",
  apart: true,
  most: 2,
  places: ["config-key"],
  details: [
    "With - the value is read from the standard input, so that it is in no shell history.",
    "--model, the thread's setting and RETAKE_MODEL come before the configured model, and variables such as ANTHROPIC_API_KEY before the configured keys and addresses.",
    "Keys:",
    ...CONFIG_KEYS.map(({ pattern, about }) => `  ${nameOf(pattern)}: ${about}`),
  ],
  options: { unset: { type: "boolean", about: "remove the key" } },
  examples: [
    ["retake config model scripted/default", "the model of new turns"],
    ["retake config context_windows.compatible/llama3 32000", "how much a model reads"],
    ["retake config", "what is configured"],
  ],
  async run(call) {
    const [name, value] = call.args;
    const unset = call.options["unset"] === true;
    if (name === undefined) return list(call);
    const path = keyPath(name);
    const key = configKey(path);
    if (!key) throw notFound(`There is no key '${name}'. There are ${listKeys()}. Nothing was changed.`);
    if (unset && value !== undefined) throw wrongUsage("Give a value or --unset, not both. Nothing was changed.");
    if (value === undefined && !unset) return show(call, path, key);
    const text = value === "-" ? await readText(call, "-") : value;
    await change(call, path, key, unset ? undefined : text);
  },
};

async function list({ output, world }: Call): Promise<void> {
  const { config } = directories(world.environment);
  const values = (await listConfig(config)).map(([path, value]) => ({
    key: nameOf(path),
    value: maskSecret(path, value),
  }));
  output.say({ file: `${config}/config.toml`, config: values }, () => [
    ...(values.length === 0
      ? ["Nothing is configured."]
      : output.table(values.map(({ key, value }) => [key, text(value)]))),
    output.hint(`${config}/config.toml · retake config <key> <value> · retake config --help lists the keys`),
  ]);
}

async function show({ output, world }: Call, path: readonly string[], key: ConfigKey): Promise<void> {
  const found = (await listConfig(directories(world.environment).config)).find(
    ([each]) => nameOf(each) === nameOf(path),
  );
  const value = found ? maskSecret(path, found[1]) : null;
  output.say({ key: nameOf(path), value }, () => [found ? text(value) : `Not set: ${key.about}.`]);
}

async function change({ output, world }: Call, path: readonly string[], key: ConfigKey, given: string | undefined) {
  const value = given === undefined ? undefined : valueFor(key, given);
  const problem = value === undefined ? undefined : key.problem(value);
  if (problem) throw wrongUsage(`${nameOf(path)} ${problem}. Nothing was changed.`);
  const done = await setConfig(directories(world.environment).config, path, value);
  if (done.kind === "refused") throw new CommandError(EXIT.failed, done.code, done.message);
  const now = value === undefined ? null : maskSecret(path, value);
  output.say({ key: nameOf(path), value: now, changed: done.kind === "changed" }, () => [
    `${output.style("green", "✓")} ${nameOf(path)} ${value === undefined ? "is not set any more" : `is ${text(now ?? "")}`}`,
  ]);
}

/** The value with the type of its key: a number, true or false, or a text. */
function valueFor({ numeric, boolean }: ConfigKey, given: string): Json {
  if (numeric && given.trim() !== "") return Number(given);
  return boolean && (given === "true" || given === "false") ? given === "true" : given;
}

/** Hides secrets from lists and logs. Tables of unknown keys may hold secrets too, under any name. */
function maskSecret(path: readonly string[], value: Json): Json {
  return configKey(path)?.secret || /key|token|secret|password|authorization/i.test(nameOf(path)) ? "set" : value;
}

function text(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function nameOf(path: readonly string[]): string {
  return path.map((name) => (name === "*" ? "<name>" : name)).join(".");
}

function listKeys(): string {
  return CONFIG_KEYS.map(({ pattern }) => nameOf(pattern)).join(", ");
}
