import { action as addEntry } from "./add-entry.ts";
import { action as addScreenshot } from "./add-screenshot.ts";
import { action as branch } from "./branch.ts";
import { action as changeApprovals } from "./change-approvals.ts";
import { action as changeContext } from "./change-context.ts";
import { action as changeQueuedTurn } from "./change-queued-turn.ts";
import { action as changeRoles } from "./change-roles.ts";
import { action as changeSettings } from "./change-settings.ts";
import { action as changeThread } from "./change-thread.ts";
import { action as clear } from "./clear.ts";
import { action as compareTakes } from "./compare-takes.ts";
import { action as compress } from "./compress.ts";
import { action as createThread } from "./create-thread.ts";
import { action as decideApproval } from "./decide-approval.ts";
import { action as deleteTake } from "./delete-take.ts";
import { action as deleteThread } from "./delete-thread.ts";
import { action as diffSnapshot } from "./diff-snapshot.ts";
import { action as diffThread } from "./diff-thread.ts";
import { action as editEntry } from "./edit-entry.ts";
import { action as exportThread } from "./export-thread.ts";
import { action as findInThread } from "./find-in-thread.ts";
import { action as getApprovals } from "./get-approvals.ts";
import { action as getCheckpoint } from "./get-checkpoint.ts";
import { action as getContext } from "./get-context.ts";
import { action as getEntry } from "./get-entry.ts";
import { action as getHistory } from "./get-history.ts";
import { action as getHookSession } from "./get-hook-session.ts";
import { action as getOperation } from "./get-operation.ts";
import { action as getRoles } from "./get-roles.ts";
import { action as getScreenshot } from "./get-screenshot.ts";
import { action as getSession } from "./get-session.ts";
import { action as getSettings } from "./get-settings.ts";
import { action as getState } from "./get-state.ts";
import { action as getStateField } from "./get-state-field.ts";
import { action as getThread } from "./get-thread.ts";
import { action as getTurnRequest } from "./get-turn-request.ts";
import { action as getUsage } from "./get-usage.ts";
import { action as getWorkspaceStatus } from "./get-workspace-status.ts";
import { action as importThreads } from "./import-threads.ts";
import { action as interruptTurn } from "./interrupt-turn.ts";
import { action as jump } from "./jump.ts";
import { action as listEntries } from "./list-entries.ts";
import { action as listFiles } from "./list-files.ts";
import { action as listMcpServers } from "./list-mcp-servers.ts";
import { action as listModels } from "./list-models.ts";
import { action as listSessions } from "./list-sessions.ts";
import { action as listSnapshots } from "./list-snapshots.ts";
import { action as listTakes } from "./list-takes.ts";
import { action as listThreads } from "./list-threads.ts";
import { action as listTurns } from "./list-turns.ts";
import { action as materialize } from "./materialize.ts";
import { action as patchUndo } from "./patch-undo.ts";
import { action as promoteTake } from "./promote-take.ts";
import { action as readFile } from "./read-file.ts";
import { action as redo } from "./redo.ts";
import { action as removeEntry } from "./remove-entry.ts";
import { action as removeQueuedTurn } from "./remove-queued-turn.ts";
import { action as renameTake } from "./rename-take.ts";
import { action as replaceEntries } from "./replace-entries.ts";
import { action as replaceHookSession } from "./replace-hook-session.ts";
import { action as reset } from "./reset.ts";
import { action as restoreSnapshot } from "./restore-snapshot.ts";
import { action as resumeSession } from "./resume-session.ts";
import { action as retry } from "./retry.ts";
import { action as revert } from "./revert.ts";
import { action as saveSession } from "./save-session.ts";
import { action as searchThreads } from "./search-threads.ts";
import { withNames } from "./shared/names.ts";
import { action as showEntries } from "./show-entries.ts";
import { action as startTurn } from "./start-turn.ts";
import { action as stopTurns } from "./stop-turns.ts";
import { action as summarizeThreads } from "./summarize-threads.ts";
import { action as switchTake } from "./switch-take.ts";
import { action as takeOver } from "./take-over.ts";
import { action as takeSnapshot } from "./take-snapshot.ts";
import { action as truncate } from "./truncate.ts";
import { action as undo } from "./undo.ts";
import { action as undoSession } from "./undo-session.ts";

/** Every action, by the name of its route. It takes the names of things as it takes their ids. */
export const actions = withNames({
  listThreads,
  createThread,
  summarizeThreads,
  searchThreads,
  findInThread,
  getThread,
  getUsage,
  changeThread,
  deleteThread,
  getCheckpoint,
  getSettings,
  changeSettings,
  getRoles,
  changeRoles,
  getContext,
  changeContext,
  addScreenshot,
  getScreenshot,
  exportThread,
  importThreads,
  listEntries,
  addEntry,
  replaceEntries,
  getEntry,
  editEntry,
  removeEntry,
  showEntries,
  truncate,
  compress,
  clear,
  reset,
  undo,
  patchUndo,
  redo,
  jump,
  revert,
  getHistory,
  getOperation,
  undoSession,
  diffThread,
  readFile,
  listFiles,
  materialize,
  listTakes,
  branch,
  switchTake,
  takeOver,
  promoteTake,
  renameTake,
  deleteTake,
  compareTakes,
  listSnapshots,
  takeSnapshot,
  diffSnapshot,
  restoreSnapshot,
  listSessions,
  saveSession,
  getSession,
  resumeSession,
  getHookSession,
  replaceHookSession,
  getState,
  getStateField,
  startTurn,
  retry,
  listTurns,
  getTurnRequest,
  changeQueuedTurn,
  removeQueuedTurn,
  interruptTurn,
  decideApproval,
  stopTurns,
  listModels,
  listMcpServers,
  getWorkspaceStatus,
  getApprovals,
  changeApprovals,
});
export type { Action, ActionAnswer, ActionCall, ActionContext, ActionInput } from "./action.ts";
export { HOOK } from "./shared/hook-actor.ts";
export { idsOf, threadNamed } from "./shared/names.ts";
export { threadFor } from "./shared/thread-for.ts";
