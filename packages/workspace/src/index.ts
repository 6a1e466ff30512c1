export type { Captured } from "./capture/capture-engine.ts";
export { CaptureLog } from "./capture/capture-log.ts";
export { ignoredIn, readCapture } from "./capture/capture-tree.ts";
export type { CaptureProgress, TaskOptions } from "./capture/capturer.ts";
export { changesBetween, compose } from "./capture/changes-between.ts";
export { namedHashes } from "./capture/collect-garbage.ts";
export { deriveCapture } from "./capture/derive-capture.ts";
export { type DescribedCapture, describeCapture } from "./capture/describe-capture.ts";
export type { FileDiff } from "./capture/diff-captures.ts";
export type { Receipt } from "./capture/receipt.ts";
export { backUp } from "./database/back-up.ts";
export { connect } from "./database/connect.ts";
export type { Database } from "./database/database.ts";
export { brokenReferences, fileProblems, searchIndexIsWhole } from "./database/database-health.ts";
export type { Migration, Schema } from "./database/schema.ts";
export { StoreError } from "./database/store-error.ts";
export { CLAIM_SCHEMA, fileSchema } from "./file-schema.ts";
export { homeDirectory, registeredHome } from "./model/home-directory.ts";
export {
  type BytePath,
  type CaptureId,
  type Change,
  type FileState,
  type Hash,
  type ObjectReader,
  UNCOVERED_REASONS,
} from "./model/model.ts";
export { objectId } from "./model/object-id.ts";
export { bytePath, diskPath, parentOf, showPath } from "./model/path-bytes.ts";
export { pathProblem, STAGE_PREFIX } from "./model/path-rules.ts";
export { leadsInto, realPathIn, resolveRoot } from "./model/resolve-root.ts";
export {
  decodeChanges,
  decodeListing,
  encodeChanges,
  encodeListing,
  type RecordedState,
  sameState,
} from "./model/state-codec.ts";
export { treeId } from "./model/tree-id.ts";
export { creations, treeName } from "./model/tree-name.ts";
export { Garbage } from "./objects/garbage.ts";
export { ObjectError } from "./objects/object-error.ts";
export { ObjectStore } from "./objects/object-store.ts";
export { type CaptureOptions, openFiles, type WorkspaceFiles } from "./open-files.ts";
export type { ApplyReport } from "./restore/apply-actions.ts";
export { decidePath, type Resolution } from "./restore/decide-path.ts";
export { Directories } from "./restore/directories.ts";
export { isUncovered } from "./restore/file-state.ts";
export { LEFTOVERS } from "./restore/leftovers.ts";
export { materialize } from "./restore/materialize.ts";
export type { Contents } from "./restore/merge-states.ts";
export type { Conflict, RestorePlan, RestoreRequest } from "./restore/plan-restore.ts";
export { recoverRestores } from "./restore/recover-restores.ts";
export type { RestoreContext } from "./restore/restore-context.ts";
export { errorCode, noConflict } from "./restore/restore-error.ts";
export { dryRun, type RestoreProgress, restoreFiles } from "./restore/restore-files.ts";
export { RestoreJournal } from "./restore/restore-journal.ts";
export { leftStages, stagesOf, stageTag } from "./restore/stage.ts";
export { type Hunk, textHunks } from "./restore/text-hunks.ts";
export { textLines } from "./restore/text-lines.ts";
export { composeTransitions, type Transition } from "./restore/transitions.ts";
export { lockWorkspace, type WorkspaceLock } from "./restore/workspace-lock.ts";
export { defaultLimits } from "./scan/entry-looks.ts";
export { DEFAULT_CACHES, type IgnoreRules } from "./scan/ignore-rules.ts";
export { gitDirectory, OuterRules, readIgnoreFile } from "./scan/outer-rules.ts";
