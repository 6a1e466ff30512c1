export {
  type Action,
  type ApplyReport,
  type BytePath,
  bytePath,
  type Captured,
  CaptureError,
  type CaptureId,
  type Change,
  type Collected,
  type Conflict,
  type ConflictKind,
  type ConflictPolicy,
  type Database,
  defaultCaches,
  defaultLimits,
  dryRun,
  type FileDiff,
  type FileState,
  type FilesOptions,
  type FileTree,
  type Hash,
  type Hunk,
  type KeptReason,
  lockWorkspace,
  type Materialized,
  type MergedText,
  materialize,
  mergeText,
  ObjectError,
  openFiles,
  type PathProblem,
  pathProblem,
  type Receipt,
  type Recovery,
  type RestoreContext,
  RestoreError,
  type RestoreErrorCode,
  type RestorePlan,
  type RestoreRequest,
  type RestoreResult,
  recoverRestores,
  restoreFiles,
  type ScanLimits,
  StoreError,
  showPath,
  type Transition,
  takeBackHunks,
  textHunks,
  type Uncovered,
  type WorkspaceFiles,
  type WorkspaceLock,
} from "@retake/workspace";
export { captureReceiptJson } from "./answers/capture-receipt-json.ts";
export { type ChangedAnswer, changedOutcome, changedWithFilesOutcome } from "./answers/changed-answer.ts";
export { type ComparedTakes, compareTakes } from "./answers/compare-takes.ts";
export { type DiffedFile, diffFiles, diffPage } from "./answers/diff-files.ts";
export { entryAnswer, entryJson } from "./answers/entry-json.ts";
export { explainChange } from "./answers/explain-change.ts";
export { capturedFile, fileOnDisk } from "./answers/file-content.ts";
export { type FilesAnswer, filesAnswer } from "./answers/files-answer.ts";
export { foundThreadsJson } from "./answers/found-threads.ts";
export { allOperations, historySteps } from "./answers/history-list.ts";
export { listPage, type Page } from "./answers/list-page.ts";
export { type OperationEffects, type RecordChange, whatOperationDid } from "./answers/operation-effects.ts";
export { operationJson } from "./answers/operation-json.ts";
export type { Outcome } from "./answers/outcome.ts";
export { resolvePoint } from "./answers/resolve-point.ts";
export { snapshotJson } from "./answers/snapshot-json.ts";
export { STATE_FIELDS } from "./answers/state-fields.ts";
export { takeJson } from "./answers/take-json.ts";
export {
  conflictMessage,
  returnedPrompt,
  type TakenBackAnswer,
  type TakenBackOutcome,
  takenBackOutcome,
} from "./answers/taken-back-answer.ts";
export { threadAnswer } from "./answers/thread-answer.ts";
export { threadJson } from "./answers/thread-json.ts";
export { turnNumbers } from "./answers/turn-numbers.ts";
export { type QueuedTurn, turnAnswer, turnsPage } from "./answers/turns-answer.ts";
export type { UnifiedHunk } from "./answers/unified-hunks.ts";
export { type WorkspaceStatus, workspaceStatus } from "./answers/workspace-status.ts";
export type { ConfigChange } from "./config/change-config.ts";
export { CONFIG_KEYS, type ConfigKey, configKey, keyPath } from "./config/config-keys.ts";
export type { Config, ConfigError } from "./config/load-config.ts";
export { modelSettings } from "./config/model-settings.ts";
export { listConfig, openConfig, setConfig } from "./config/open-config.ts";
export { type Examined, type ExamineOptions, examine, type Repaired, repair } from "./doctor/examine.ts";
export type { Problem, ProblemCode } from "./doctor/problem.ts";
export { type Cursor, parseCursor } from "./events/cursor.ts";
export { Feed, type Following } from "./events/feed.ts";
export type { FeedEvent } from "./events/feed-event.ts";
export {
  EXPORT_FORMATS,
  type ExportFormat,
  exportRepository,
  exportThread,
  type Imported,
  importFile,
} from "./exchange/exchange.ts";
export { ActionError } from "./host/action-error.ts";
export { openRuntime, Runtime, type RuntimeOptions } from "./host/open-runtime.ts";
export { chosenModel } from "./model/chosen-model.ts";
export { listModels, type ProviderModels } from "./model/list-models.ts";
export { loadScript } from "./model/load-script.ts";
export type { Model, ModelEnd, ModelRequest } from "./model/model.ts";
export { type OpenedModel, openModel } from "./model/open-model.ts";
export type { ModelConfig, ModelSettings } from "./model/provider-access.ts";
export type { Script, ScriptStep } from "./model/script.ts";
export { scriptedModel } from "./model/scripted-model.ts";
export { SCRIPTED_MODEL } from "./model/scripted-model-name.ts";
export { type CommsLine, CommsLog, CommsLogError, type ReadLine } from "./runner/comms-log.ts";
export type { Compressed, CompressRequest } from "./runner/compress.ts";
export { type GitContext, noteGitContext, readGitContext } from "./runner/git-context.ts";
export { modelRequest, type PreparedRequest, type RequestInput } from "./runner/model-request.ts";
export type { ApprovalQuestion, TurnEvent, TurnParts, TurnRequest, TurnResult } from "./runner/turn.ts";
export type { FoundThread, Match } from "./search/found-thread.ts";
export type { SearchRequest } from "./search/search-request.ts";
export { searchStore } from "./search/search-store.ts";
export {
  listSnapshots,
  MOST_SNAPSHOTS,
  SNAPSHOTS_LISTED,
  snapshotsNamed,
} from "./snapshots/find-snapshots.ts";
export { restoreSnapshot } from "./snapshots/restore-snapshot.ts";
export { takeSnapshot } from "./snapshots/take-snapshot.ts";
export { treeAt } from "./snapshots/tree-at.ts";
export { type Directories, directories } from "./store/directories.ts";
export { openDatabase } from "./store/open-database.ts";
export { type ChangeOptions, openStore, Store, type StoreOptions } from "./store/open-store.ts";
export type { SnapshotKind, SnapshotRow } from "./store/snapshot-log.ts";
export { systemFailure } from "./store/system-failure.ts";
export type { ThreadSummary } from "./store/thread-store.ts";
export { ThreadStore } from "./store/thread-store.ts";
export { changeThreadFacts } from "./threads/change-thread-facts.ts";
export { deleteThread } from "./threads/delete-thread.ts";
export { freeTitle, titleFrom } from "./threads/free-title.ts";
export {
  listSessions,
  type ResumedSession,
  resumeSession,
  type SavedSession,
  type Session,
  saveSession,
  sessionById,
} from "./threads/sessions.ts";
export type { Place, Tool, ToolEnd, ToolRun } from "./tools/tool.ts";
export { tools } from "./tools/tools.ts";
export type { Busy } from "./undo/hold-workspace.ts";
export type { ChangedWithFiles, TakenBack } from "./undo/take-back.ts";
export {
  openStoreAndWorkspace,
  openWorkspace,
  type TakeBackOptions,
  Workspace,
  type WorkspaceOptions,
} from "./workspace/open-workspace.ts";
