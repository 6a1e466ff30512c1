import { type Check, flag, number, text, whole } from "../values/check.ts";

/**
 * The settings of a take (S2). Each is a record of its own, so that typing in one field stores only that field. A
 * setting that was never set has no record and reads as its default.
 */
export interface Settings {
  /** The draft: text that the user has typed and not sent. */
  readonly draft: string;
  readonly base_system_prompt: string;
  readonly global_system_prompt: string;
  readonly project_system_prompt: string;
  readonly use_default_base_prompt: boolean;
  readonly temperature: number;
  readonly top_p: number;
  /** How long an answer may be; 0 means as long as the model allows. */
  readonly max_tokens: number;
  readonly auto_add_history: boolean;
  /** `provider/model`; empty means the configured default. */
  readonly model: string;
  /** How many steps can be undone; 0 means all. */
  readonly undo_depth: number;
  /** Whether a summary replaces the older conversation when the model's context is full. */
  readonly auto_compress: boolean;
  /** How many dollars the thread may cost before its turns stop; 0 means the configured amount. */
  readonly budget: number;
}

export type SettingField = keyof Settings;

export const DEFAULT_SETTINGS: Settings = {
  draft: "",
  base_system_prompt: "",
  global_system_prompt: "",
  project_system_prompt: "",
  use_default_base_prompt: true,
  temperature: 0,
  top_p: 1,
  max_tokens: 0,
  auto_add_history: false,
  model: "",
  undo_depth: 0,
  auto_compress: true,
  budget: 0,
};

export const SETTING_FIELDS = Object.keys(DEFAULT_SETTINGS) as readonly SettingField[];

export function isSettingField(value: unknown): value is SettingField {
  return typeof value === "string" && Object.hasOwn(DEFAULT_SETTINGS, value);
}

/** Describes the problem of a value for a field, in words that follow the field's name; undefined for a valid value. */
export function settingProblem(field: SettingField, value: unknown): string | undefined {
  return SETTING_CHECKS[field](value);
}

export const SETTING_CHECKS: Record<SettingField, Check> = {
  draft: text(),
  base_system_prompt: text(),
  global_system_prompt: text(),
  project_system_prompt: text(),
  use_default_base_prompt: flag,
  temperature: number(0, 2),
  top_p: number(0, 1),
  max_tokens: whole(0, 10_000_000),
  auto_add_history: flag,
  model: text(200),
  undo_depth: whole(0, 1_000_000_000),
  auto_compress: flag,
  budget: number(0, 1_000_000),
};
