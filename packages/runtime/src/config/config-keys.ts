import { PROVIDER_ACCESS } from "../model/provider-access.ts";

/** What can be set by name: `model`, `providers.anthropic.api_key`, `prices.openai/gpt-x.input`. */
export interface ConfigKey {
  /** Its names, of which `*` stands for any. */
  readonly pattern: readonly string[];
  readonly about: string;
  /** Never shown again. */
  readonly secret?: true;
  readonly problem: (value: unknown) => string | undefined;
}

export const CONFIG_KEYS: readonly ConfigKey[] = [
  { pattern: ["model"], about: "the model of discussions that choose none: provider/model", problem: modelProblem },
  { pattern: ["providers", "*", "api_key"], about: "the key of a provider", secret: true, problem: textProblem },
  { pattern: ["providers", "*", "base_url"], about: "where a provider is reached", problem: addressProblem },
  ...["input", "output", "cache_read", "cache_write"].map((name) => ({
    pattern: ["prices", "*", name],
    about: `dollars for a million tokens (${name.replace("_", " ")}) of a model`,
    problem: priceProblem,
  })),
  { pattern: ["context_windows", "*"], about: "how many tokens a model can be sent", problem: tokensProblem },
];

export function configKey(path: readonly string[]): ConfigKey | undefined {
  const known = path[0] !== "providers" || Object.hasOwn(PROVIDER_ACCESS, path[1] ?? "");
  if (!known) return undefined;
  return CONFIG_KEYS.find(
    ({ pattern }) => pattern.length === path.length && pattern.every((name, at) => name === "*" || name === path[at]),
  );
}

/** Why a value cannot stand where it does; nothing is said of keys that are not known. */
export function valueProblem(path: readonly string[], value: unknown): string | undefined {
  return configKey(path)?.problem(value);
}

/** The names of a key; those of a model may hold dots. */
export function keyPath(name: string): string[] {
  const [first = "", ...rest] = name.split(".");
  if (first === "context_windows" && rest.length > 0) return [first, rest.join(".")];
  if (first !== "prices" || rest.length < 2) return [first, ...rest];
  return [first, rest.slice(0, -1).join("."), rest.at(-1) ?? ""];
}

function modelProblem(value: unknown): string | undefined {
  const ok = typeof value === "string" && /^[^/\s]+\/\S+$/.test(value);
  const known = ok && ["scripted", ...Object.keys(PROVIDER_ACCESS)].includes(value.split("/")[0] ?? "");
  if (known) return undefined;
  return `must be provider/model, with one of the providers scripted, ${Object.keys(PROVIDER_ACCESS).join(", ")}`;
}

function textProblem(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? undefined : "must be a text that is not empty";
}

function addressProblem(value: unknown): string | undefined {
  const ok = typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return ok ? undefined : "must be a web address, like http://localhost:11434/v1";
}

function tokensProblem(value: unknown): string | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? undefined : "must be a whole number from 1";
}

function priceProblem(value: unknown): string | undefined {
  return typeof value === "number" && value >= 0 && Number.isFinite(value) ? undefined : "must be a number from 0";
}
