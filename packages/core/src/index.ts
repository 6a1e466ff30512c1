export { type Edit, type EditEffects, explainEdit, type LostCache } from "./provider/explain-edit.ts";
export { answerFingerprint, type Hash, prefixFingerprint } from "./provider/fingerprint.ts";
export {
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type Part,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
  type UserMessage,
  type UserPart,
  withoutThinking,
} from "./provider/message.ts";
export { type Projection, type ProjectionInput, projectMessages } from "./provider/project-messages.ts";
export type { Repair, RepairCode } from "./provider/repair.ts";
export { sendableToolName } from "./provider/sendable-name.ts";
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
