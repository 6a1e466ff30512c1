export { budgetWords, elapsed, emptyAnswer, money, NO_WORD, STATUS_WORDS, shortCount } from "./amounts.ts";
export { type BackgroundCommand, backgroundCommand } from "./background-command.ts";
export { callDiff, countSigns } from "./call-diff.ts";
export {
  type Conflict,
  type Decisions,
  decide,
  holdDecisions,
  isSameConflict,
  NO_DECISIONS,
  resolutionsOf,
  type Use,
} from "./decisions.ts";
export {
  type Draft,
  type DraftTake,
  isTakeGone,
  isUnsaved,
  NO_DRAFT,
  savedDraft,
  savingDraft,
  seeDraft,
  withoutPrompt,
} from "./draft.ts";
export { fileCount } from "./file-count.ts";
export {
  type Action,
  actionFor,
  beginsSequence,
  chosenKeys,
  KEY_MAP,
  type KeyBinding,
  type KeyChoices,
  keyName,
  NO_CHOICES,
  whyNotBound,
} from "./key-map.ts";
export { actorWord, operationWord } from "./operation-words.ts";
export { CONFLICTS, needsLook, type PlanLine, planCounts, planLines, plural, type TakenBack } from "./plan-lines.ts";
export { QUIET_MS } from "./quiet.ts";
export { type CallRow, callSummary, type EntryRow, type Row, rowsOf, type TurnRow } from "./rows.ts";
export { type SyncSummary, syncHead, syncWords } from "./sync-words.ts";
export { takeBackCommand } from "./take-back-command.ts";
export { visible, visibleJson } from "./visible-text.ts";
