export { type Database, openFiles, realPathIn, resolveRoot } from "@retake/workspace";
export { diffFiles } from "./answers/diff-files.ts";
export type { FilesAnswer } from "./answers/files-answer.ts";
export { historySteps } from "./answers/history-list.ts";
export type { Outcome } from "./answers/outcome.ts";
export { conflictMessage, type TakenBackAnswer } from "./answers/taken-back-answer.ts";
export { CONFIG_KEYS, type ConfigKey, configKey, keyPath } from "./config/config-keys.ts";
export { modelSettings } from "./config/model-settings.ts";
export { listConfig, openConfig, setConfig } from "./config/open-config.ts";
export { examine, type Repaired, repair } from "./doctor/examine.ts";
export type { Problem } from "./doctor/problem.ts";
export { type Cursor, parseCursor } from "./events/cursor.ts";
export type { FeedEvent } from "./events/feed-event.ts";
export {
  EXPORT_FORMATS,
  type ExportFormat,
  exportRepository,
  exportThread,
  type Imported,
  importFile,
  isBundle,
} from "./exchange/exchange.ts";
export type { Exported } from "./exchange/held-back.ts";
export { ActionError } from "./host/action-error.ts";
export { Runtime, type RuntimeOptions } from "./host/runtime.ts";
export { chosenModel } from "./model/chosen-model.ts";
export type { Model, ModelEnd } from "./model/model.ts";
export { openModel } from "./model/open-model.ts";
export { scriptedModel } from "./model/scripted-model.ts";
export { SCRIPTED_MODEL } from "./model/scripted-model-name.ts";
export { findEntry } from "./names/find-entry.ts";
export { findPoint, type Point } from "./names/find-point.ts";
export { findSnapshot } from "./names/find-snapshot.ts";
export { findTake } from "./names/find-take.ts";
export { findThread, findThreadId, findThreadOrTake, type ThreadOrTake, threadNames } from "./names/find-thread.ts";
export { entryNames, nameOfOperation, nameOfTurn } from "./names/name-things.ts";
export type { ApprovalAnswer, ApprovalQuestion, TurnEvent, TurnRequest, TurnResult } from "./runner/turn.ts";
export { SNAPSHOTS_LISTED } from "./snapshots/find-snapshots.ts";
export { aliasesIn, directories } from "./store/directories.ts";
export { openDatabase } from "./store/open-database.ts";
export type { ChangeOptions } from "./store/open-store.ts";
export type { SnapshotRow } from "./store/snapshot-log.ts";
export { systemFailure } from "./store/system-failure.ts";
export type { ThreadSummary } from "./store/thread-store.ts";
export { ThreadStore } from "./store/thread-store.ts";
export { endProcesses } from "./tools/end-processes.ts";
export type { Tool } from "./tools/tool.ts";
export { WAITS } from "./undo/hold-workspace.ts";
export { RefusedError } from "./undo/thread-files.ts";
export { discoverRoot } from "./workspace/discover-root.ts";
export { openStoreAndWorkspace, Workspace } from "./workspace/open-workspace.ts";
