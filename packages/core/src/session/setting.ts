import type { Json } from "../values/json.ts";
import { nameOf, textProblem } from "../values/text.ts";

/**
 * The settings of a take (S2). Each is a record of its own, so that typing in one field costs that
 * field; a setting that was never set has no record and reads as its default.
 */
export interface Settings {
  /** The draft input: what the user has typed and not sent. */
  readonly draft: string;
  readonly base_system_prompt: string;
  readonly global_system_prompt: string;
  readonly project_system_prompt: string;
  readonly use_default_base_prompt: boolean;
  readonly temperature: number;
  readonly top_p: number;
  readonly max_tokens: number;
  readonly auto_add_history: boolean;
  /** `provider/model`; empty means the configured default. */
  readonly model: string;
  /** How many steps can be undone; 0 means all. */
  readonly undo_depth: number;
  /** Which tools may run without asking: `{tool, path?, command?, decision}` in order, the last match decides. */
  readonly approval_rules: readonly ApprovalRule[];
}

export type ApprovalRule = {
  readonly tool: string;
  readonly path?: string;
  readonly command?: string;
  readonly decision: "allow" | "ask" | "deny";
};

export type SettingField = keyof Settings;

export const DEFAULT_SETTINGS: Settings = {
  draft: "",
  base_system_prompt: "",
  global_system_prompt: "",
  project_system_prompt: "",
  use_default_base_prompt: true,
  temperature: 0,
  top_p: 1,
  max_tokens: 8192,
  auto_add_history: false,
  model: "",
  undo_depth: 0,
  approval_rules: [],
};

export const SETTING_FIELDS = Object.keys(DEFAULT_SETTINGS) as readonly SettingField[];

export function isSettingField(value: unknown): value is SettingField {
  return typeof value === "string" && Object.hasOwn(DEFAULT_SETTINGS, value);
}

/** What is wrong with a value for a field, in words that follow the field's name; undefined when nothing is. */
export function settingProblem(field: SettingField, value: unknown): string | undefined {
  return checks[field](value);
}

type Check = (value: unknown) => string | undefined;

const text: Check = (value) => textProblem(value);

const flag: Check = (value) => (typeof value === "boolean" ? undefined : `must be true or false, not ${nameOf(value)}`);

function between(least: number, most: number, whole: boolean): Check {
  return (value) => {
    const fits = typeof value === "number" && value >= least && value <= most && (!whole || Number.isInteger(value));
    return fits
      ? undefined
      : `must be ${whole ? "a whole number" : "a number"} from ${least} to ${most}, not ${shown(value)}`;
  };
}

const rules: Check = (value) => {
  if (!Array.isArray(value)) return `must be a list, not ${nameOf(value)}`;
  for (const [index, rule] of value.entries()) {
    const problem = ruleProblem(rule);
    if (problem) return `has a wrong rule at ${index}: ${problem}`;
  }
  return undefined;
};

function ruleProblem(rule: unknown): string | undefined {
  if (typeof rule !== "object" || rule === null) return `it must be an object, not ${nameOf(rule)}`;
  const { tool, path, command, decision, ...rest } = rule as Record<string, unknown>;
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined) return `'${unknown}' is not a part of a rule`;
  for (const [name, value] of Object.entries({ tool, path, command })) {
    if (value === undefined && name !== "tool") continue;
    const problem = textProblem(value, 4096);
    if (problem) return `its ${name} ${problem}`;
  }
  if (decision !== "allow" && decision !== "ask" && decision !== "deny")
    return "its decision must be allow, ask or deny";
  return undefined;
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : nameOf(value);
}

const checks: Record<SettingField, Check> = {
  draft: text,
  base_system_prompt: text,
  global_system_prompt: text,
  project_system_prompt: text,
  use_default_base_prompt: flag,
  temperature: between(0, 2, false),
  top_p: between(0, 1, false),
  max_tokens: between(1, 10_000_000, true),
  auto_add_history: flag,
  model: (value) => textProblem(value, 200),
  undo_depth: between(0, 1_000_000_000, true),
  approval_rules: rules,
};

/** Settings hold plain JSON; this is the one place that says so to the type checker. */
export function settingValue(value: Settings[SettingField]): Json {
  return value as Json;
}
