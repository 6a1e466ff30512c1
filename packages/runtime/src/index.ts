export {
  type BytePath,
  bytePath,
  type CaptureId,
  type Database,
  materialize,
  openFiles,
  type WorkspaceFiles,
} from "@retake/workspace";
export { captureReceiptJson } from "./answers/capture-receipt-json.ts";
export { type ChangedAnswer, changedOutcome, changedWithFilesOutcome } from "./answers/changed-answer.ts";
export { type ComparedTakes, compareTakes } from "./answers/compare-takes.ts";
export { type DiffedFile, diffFiles } from "./answers/diff-files.ts";
export { entryAnswer, entryJson } from "./answers/entry-json.ts";
export { explainChange } from "./answers/explain-change.ts";
export type { FilesAnswer } from "./answers/files-answer.ts";
export { foundThreadsJson } from "./answers/found-threads.ts";
export { allOperations, historySteps } from "./answers/history-list.ts";
export { listPage } from "./answers/list-page.ts";
export { type RecordChange, whatOperationDid } from "./answers/operation-effects.ts";
export { operationJson } from "./answers/operation-json.ts";
export type { Outcome } from "./answers/outcome.ts";
export { snapshotJson } from "./answers/snapshot-json.ts";
export { takeJson } from "./answers/take-json.ts";
export {
  conflictMessage,
  returnedPrompt,
  type TakenBackAnswer,
  type TakenBackOutcome,
  takenBackOutcome,
} from "./answers/taken-back-answer.ts";
export { threadJson } from "./answers/thread-json.ts";
export { turnNumbers } from "./answers/turn-numbers.ts";
export { type WorkspaceStatus, workspaceStatus } from "./answers/workspace-status.ts";
export { CONFIG_KEYS, type ConfigKey, configKey, keyPath } from "./config/config-keys.ts";
export { modelSettings } from "./config/model-settings.ts";
export { listConfig, setConfig } from "./config/open-config.ts";
export { examine, type Repaired, repair } from "./doctor/examine.ts";
export type { Problem } from "./doctor/problem.ts";
export { type Cursor, parseCursor } from "./events/cursor.ts";
export type { FeedEvent } from "./events/feed-event.ts";
export { EXPORT_FORMATS, type ExportFormat, exportRepository, exportThread, importFile } from "./exchange/exchange.ts";
export { ActionError } from "./host/action-error.ts";
export { openRuntime, Runtime, type RuntimeOptions } from "./host/open-runtime.ts";
export { chosenModel } from "./model/chosen-model.ts";
export { listModels, type ProviderModels } from "./model/list-models.ts";
export type { Model, ModelEnd } from "./model/model.ts";
export { openModel } from "./model/open-model.ts";
export { scriptedModel } from "./model/scripted-model.ts";
export type { ApprovalQuestion, TurnEvent, TurnRequest, TurnResult } from "./runner/turn.ts";
export type { FoundThread } from "./search/found-thread.ts";
export type { SearchRequest } from "./search/search-request.ts";
export { searchStore } from "./search/search-store.ts";
export { listSnapshots, SNAPSHOTS_LISTED, snapshotsNamed } from "./snapshots/find-snapshots.ts";
export { restoreSnapshot } from "./snapshots/restore-snapshot.ts";
export { takeSnapshot } from "./snapshots/take-snapshot.ts";
export { treeAt } from "./snapshots/tree-at.ts";
export { type Directories, directories } from "./store/directories.ts";
export { openDatabase } from "./store/open-database.ts";
export type { ChangeOptions } from "./store/open-store.ts";
export type { SnapshotRow } from "./store/snapshot-log.ts";
export { systemFailure } from "./store/system-failure.ts";
export type { ThreadSummary } from "./store/thread-store.ts";
export { ThreadStore } from "./store/thread-store.ts";
export { changeThreadFacts } from "./threads/change-thread-facts.ts";
export { deleteThread } from "./threads/delete-thread.ts";
export { freeTitle, titleFrom } from "./threads/free-title.ts";
export type { Tool } from "./tools/tool.ts";
export type { Busy } from "./undo/hold-workspace.ts";
export type { ChangedWithFiles, TakenBack } from "./undo/take-back.ts";
export { openStoreAndWorkspace, type TakeBackOptions, Workspace } from "./workspace/open-workspace.ts";
