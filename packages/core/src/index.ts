export {
  AI,
  DEFAULT_ROLES,
  type Entry,
  preview,
  SYSTEM,
  type ThinkingSegment,
  type ToolCall,
  type ToolResult,
  type ToolStatus,
  USER,
  type Usage,
  VENDOR,
} from "./session/entry.ts";
export { isRefusal, type Refusal, type RefusalCode, refuse } from "./session/refusal.ts";
export {
  type ApprovalRule,
  DEFAULT_SETTINGS,
  isSettingField,
  SETTING_FIELDS,
  type SettingField,
  type Settings,
  settingProblem,
  settingValue,
} from "./session/setting.ts";
export { canonical, equal, isObject, type Json, type JsonObject } from "./values/json.ts";
export { idProblem, MAX_NAME, MAX_TEXT, nameProblem, textProblem } from "./values/text.ts";
