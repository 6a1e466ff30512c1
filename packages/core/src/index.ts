export type { AgentEvent, ModelPart, ToolProgress } from "./agent/agent-event.ts";
export type { AgentOutcome } from "./agent/agent-outcome.ts";
export {
  type AgentState,
  BUDGET,
  IDLE_AGENT,
  type NamedCall,
  type OverBudget,
  type ToolOutcome,
} from "./agent/agent-state.ts";
export {
  APPROVAL_MODES,
  type ApprovalMode,
  type ApprovalPolicy,
  type ApprovalRule,
  ruleProblem,
} from "./agent/approval-rule.ts";
export { type AwaitedApproval, awaitedApprovals } from "./agent/awaited-approvals.ts";
export {
  type CallFacts,
  decideApproval,
  noticeText,
  type PathFact,
  reasonsOf,
  ruleText,
} from "./agent/decide-approval.ts";
export { type Action, isRecordEffect, type RecordEffect } from "./agent/effect.ts";
export { type IoErrorCode, MODEL_ERRORS, type ModelErrorCode } from "./agent/failure.ts";
export { type RecordFacts, recordOperation, signedCall, withThinking } from "./agent/record-operation.ts";
export { transition } from "./agent/transition.ts";
export { type Covered, effectsOf } from "./agent/turn-receipt.ts";
export { addUsage } from "./agent/usage.ts";
export { branch, branchFrom } from "./history/branch.ts";
export { type ConflictPolicy, type Resolution, unresolved } from "./history/conflict.ts";
export { type Transition, treeIn } from "./history/group-changes.ts";
export { type History, line, MemoryHistory, MissingOperationError } from "./history/history.ts";
export { completeJump, type JumpPlan, planJump } from "./history/jump-plan.ts";
export {
  canRedo,
  canUndo,
  type HistoryItem,
  isUndone,
  type ListedOperation,
  listHistory,
  listOperations,
  staleRefusal,
} from "./history/list.ts";
export { type Merge, mergeHeads } from "./history/merge.ts";
export { relate } from "./history/merge-ancestors.ts";
export type { Nothing, Plan } from "./history/plan.ts";
export {
  completeSnapshotRestore,
  type FilesPlan,
  type FilesRequest,
  planSnapshotRestore,
} from "./history/restore-plan.ts";
export { planRetry } from "./history/retry-plan.ts";
export { planRevert, type RevertRequest } from "./history/revert-plan.ts";
export { lastChange, lastShared, originOf } from "./history/take-origin.ts";
export { completePlan, planRedo, planUndo, type UndoRequest } from "./history/undo-plan.ts";
export { noteBackground } from "./operations/background.ts";
export {
  addPath,
  addRole,
  type PathMember,
  pathsIn,
  removePath,
  removeRole,
} from "./operations/change-lists.ts";
export { changeSetting, changeSettings } from "./operations/change-settings.ts";
export { editEntry, patchEntry, showAllEntries } from "./operations/edit-entry.ts";
export { noteFilesEdited, restoreFiles } from "./operations/files.ts";
export { importEntries } from "./operations/import-entries.ts";
export { insertEntry, removeEntry } from "./operations/insert-entry.ts";
export { resetSession } from "./operations/reset-session.ts";
export { deleteTake, keepTake, promoteTake, renameTake, switchTake } from "./operations/take.ts";
export {
  changeThread,
  createThread,
  isUntitled,
  MAIN,
  noteGit,
  saveThread,
  type ThreadFacts,
  type ThreadOrigin,
  titleFrom,
  UNTITLED,
} from "./operations/thread.ts";
export {
  discardStep,
  endTool,
  finishTurn,
  moveAgent,
  noteSent,
  progressTool,
  proposeTool,
  startTool,
  startTurn,
  streamTurn,
  titleThread,
} from "./operations/turn.ts";
export { clearEntries, compressEntries, replaceEntries, truncateEntries } from "./operations/whole-conversation.ts";
export type { AttachedContents } from "./provider/attached-context.ts";
export { type EditEffects, explainEdit } from "./provider/explain-edit.ts";
export {
  type AssistantMessage,
  type AssistantPart,
  type ImagePart,
  type Message,
  type Part,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
  type UserMessage,
  withoutProofs,
  withoutThinking,
} from "./provider/message.ts";
export { attachedTo, type Projection, projectMessages } from "./provider/project-messages.ts";
export { sendableToolName } from "./provider/sendable-name.ts";
export { type Attachment, attachmentKey, attachmentsOf } from "./session/attachment.ts";
export { type Change, type Diff, type PastSpace, reverseChange, type SpaceChange } from "./session/diff.ts";
export type { Built, Context } from "./session/draft.ts";
export {
  AI,
  type CallReceipt,
  DEFAULT_ROLES,
  type Entry,
  type Notice,
  preview,
  SYSTEM,
  type ThinkingSegment,
  TOOL,
  type ToolCall,
  USER,
  type Usage,
} from "./session/entry.ts";
export { promptEntryId, resultEntryId, stepEntryId } from "./session/entry-ids.ts";
export type { EntryInput } from "./session/entry-input.ts";
export { groupKey, isLater, versionOf } from "./session/group-record.ts";
export { recordAs } from "./session/kinds.ts";
export { lastRedoable, lastUndoable, liveGroups } from "./session/live-groups.ts";
export {
  asLetters,
  entryIdAt,
  entryName,
  FEWEST_LETTERS,
  hashPrefix,
  operationName,
  parseNumberedName,
  parsePoint,
  turnName,
} from "./session/names.ts";
export {
  type Actor,
  type Operation,
  type OperationId,
  type OperationKind,
  roleOf,
  type UndoScope,
} from "./session/operation.ts";
export { mayOmitPaths, type ReceiptEffect, ReceiptLists, type TurnReceipt } from "./session/receipt.ts";
export { keyOf, kindOf, localId, type RecordId, spaceId, type TakeId, takeOf, threadId } from "./session/record.ts";
export { recordProblem } from "./session/record-problem.ts";
export { isRefusal, type Refusal, type RefusalCode, refuse } from "./session/refusal.ts";
export {
  DEFAULT_SETTINGS,
  isSettingField,
  SETTING_FIELDS,
  type SettingField,
  type Settings,
} from "./session/setting.ts";
export {
  apply,
  EMPTY_STATE,
  orderIndex,
  recordOf,
  recordsIn,
  type Space,
  type State,
  type Typing,
  typingAfter,
  unapply,
} from "./session/state.ts";
export {
  activeId,
  activeTake,
  baseName,
  entries,
  entriesBack,
  entryAt,
  entryById,
  entryCount,
  inSpace,
  inThread,
  liveTakes,
  recordsBack,
  recordsOf,
  roles,
  runningTurn,
  setting,
  settings,
  type Take,
  type Turn,
  takeById,
  takes,
  tree,
  turn,
} from "./session/view.ts";
export { fenced } from "./values/fence.ts";
export { foreignProblem } from "./values/foreign.ts";
export type { Lookup } from "./values/hash-map.ts";
export { asJson, canonical, equal, isObject, type Json, type JsonObject } from "./values/json.ts";
export { DEFAULT_MAX_RETRIES, retryDelay } from "./values/retry-delay.ts";
export { SortedMap, type Table } from "./values/sorted-map.ts";
export { grouped, idProblem, MAX_NAME, MAX_TEXT, nameProblem, quoted, textProblem } from "./values/text.ts";
export { foldWindow, narrowWindow } from "./window/fold-window.ts";
export { cutWindow, type Range, type Window, type WindowRequest } from "./window/window.ts";
export { checkpointFormat } from "./wire/checkpoint-format.ts";
export { hashOperation, operationFormat } from "./wire/operation-format.ts";
export { type OperationV1, operationV1 } from "./wire/operation-v1.ts";
export { LogUpgrade } from "./wire/upgrade-log.ts";
export { type Decoded, decode, decodeAgain, encode, type Format } from "./wire/versioned.ts";
