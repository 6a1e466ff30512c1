import { PROVIDER_ACCESS } from "../model/provider-access.ts";

/** A setting that can be changed by name: `model`, `providers.anthropic.api_key`, `prices.openai/gpt-x.input`. */
export interface ConfigKey {
  /** The parts of its name; `*` matches any. */
  readonly pattern: readonly string[];
  readonly about: string;
  /** Its value is a number. */
  readonly numeric?: true;
  /** Its value is true or false. */
  readonly boolean?: true;
  /** Its value is never shown. */
  readonly secret?: true;
  readonly problem: (value: unknown) => string | undefined;
}

export const CONFIG_KEYS: readonly ConfigKey[] = [
  { pattern: ["model"], about: "the model of threads that choose none: provider/model", problem: modelProblem },
  { pattern: ["providers", "*", "api_key"], about: "the key of a provider", secret: true, problem: textProblem },
  { pattern: ["providers", "*", "base_url"], about: "where a provider is reached", problem: addressProblem },
  ...["input", "output", "cache_read", "cache_write"].map((name) => ({
    pattern: ["prices", "*", name],
    about: `dollars for a million tokens (${name.replace("_", " ")}) of a model`,
    numeric: true as const,
    problem: priceProblem,
  })),
  {
    pattern: ["agent", "budget"],
    about: "dollars that a thread may cost before its turns stop and ask; the thread's own setting comes first",
    numeric: true,
    problem: priceProblem,
  },
  {
    pattern: ["agent", "titles"],
    about: "whether the model names a thread after its first turn: true or false",
    boolean: true,
    problem: booleanProblem,
  },
  { pattern: ["tui", "screen"], about: "full, or inline for plain lines", problem: wordProblem("full", "inline") },
  {
    pattern: ["tui", "mouse"],
    about: "whether the screen reads the mouse: true or false",
    boolean: true,
    problem: booleanProblem,
  },
  {
    pattern: ["tui", "ctrl_z"],
    about: "what Ctrl+Z does on the screen: undo or suspend",
    problem: wordProblem("undo", "suspend"),
  },
  {
    pattern: ["tools", "environment"],
    about: "names of the environment that tools see although they look like secrets",
    problem: namesProblem,
  },
  ...(
    [
      ["context_windows", "how many tokens a model can be sent", tokensProblem],
      ["output_limits", "how many tokens a model writes at most in one answer", tokensProblem],
      ["thinking_budgets", "how many tokens a model may think before an answer; 0 turns thinking off", budgetProblem],
    ] as const
  ).map(([name, about, problem]) => ({ pattern: [name, "*"], about, numeric: true as const, problem })),
];

export function configKey(path: readonly string[]): ConfigKey | undefined {
  const known = path[0] !== "providers" || Object.hasOwn(PROVIDER_ACCESS, path[1] ?? "");
  if (!known) return undefined;
  return CONFIG_KEYS.find(
    ({ pattern }) => pattern.length === path.length && pattern.every((name, at) => name === "*" || name === path[at]),
  );
}

/** Why a value is not valid for its key; undefined for unknown keys. */
export function valueProblem(path: readonly string[], value: unknown): string | undefined {
  return configKey(path)?.problem(value);
}

/** The parts of a key; the name of a model may contain dots. */
export function keyPath(name: string): string[] {
  const [first = "", ...rest] = name.split(".");
  if (BY_MODEL.includes(first) && rest.length > 0) return [first, rest.join(".")];
  if (first !== "prices" || rest.length < 2) return [first, ...rest];
  return [first, rest.slice(0, -1).join("."), rest.at(-1) ?? ""];
}

const BY_MODEL: readonly string[] = ["context_windows", "output_limits", "thinking_budgets"];

function modelProblem(value: unknown): string | undefined {
  const ok = typeof value === "string" && /^[^/\s]+\/\S+$/.test(value);
  const known = ok && ["scripted", ...Object.keys(PROVIDER_ACCESS)].includes(value.split("/")[0] ?? "");
  if (known) return undefined;
  return `must be provider/model, with one of the providers scripted, ${Object.keys(PROVIDER_ACCESS).join(", ")}`;
}

function booleanProblem(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : "must be true or false";
}

function wordProblem(...words: readonly string[]): (value: unknown) => string | undefined {
  return (value) => (words.includes(String(value)) ? undefined : `must be ${words.join(" or ")}`);
}

function textProblem(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? undefined : "must be a text that is not empty";
}

function addressProblem(value: unknown): string | undefined {
  const ok = typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return ok ? undefined : "must be a web address, like http://localhost:11434/v1";
}

function namesProblem(value: unknown): string | undefined {
  const ok = Array.isArray(value) && value.every((name) => typeof name === "string" && /^\w+$/.test(name));
  return ok ? undefined : 'must be a list of names, like ["DATABASE_URL"]';
}

function tokensProblem(value: unknown): string | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? undefined : "must be a whole number from 1";
}

/** Anthropic refuses a budget below 1,024. */
function budgetProblem(value: unknown): string | undefined {
  const ok = Number.isSafeInteger(value) && (value === 0 || Number(value) >= 1024);
  return ok ? undefined : "must be 0, or a whole number from 1024";
}

function priceProblem(value: unknown): string | undefined {
  return typeof value === "number" && value >= 0 && Number.isFinite(value) ? undefined : "must be a number from 0";
}
