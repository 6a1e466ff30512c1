import { activeTake, localId, type Plan, preview, setting } from "@retake/core";
import { showPath } from "@retake/workspace";
import { entryNames } from "../names/name-things.ts";
import type { Store } from "../store/open-store.ts";
import type { TakeBackResult } from "../undo/take-back.ts";
import { operationAnswer } from "./changed-answer.ts";
import { recordSides } from "./conflict-sides.ts";
import { type FilesAnswer, filesAnswer } from "./files-answer.ts";
import { nameRecord } from "./name-record.ts";
import { namedEffects } from "./named-effects.ts";
import { onceMore } from "./once-more.ts";
import type { Outcome } from "./outcome.ts";
import { type Staying, stayingEffects } from "./staying-effects.ts";
import type { TakenBack } from "./taken-back-by.ts";

/** The answer to an undo, redo, revert, jump or restore, the same on the command line and over HTTP. */
export interface TakenBackAnswer extends FilesAnswer, Partial<TakenBack> {
  readonly op_id: string | null;
  readonly version: number;
  readonly turns_undone: number;
  readonly messages_removed: number;
  /** Turns and entries that a redo, or the undo of a removal, brought back. */
  readonly turns_returned: number;
  readonly messages_returned: number;
  readonly snapshot_restored: string | null;
  readonly original_user_text: string | null;
  readonly receipt: TakenBackReceipt | null;
  readonly thread: string;
  /** The description of the operation, or of the one that a dry run would make. */
  readonly description?: string;
  /** U3: the prompt that is the draft again. */
  readonly returned_prompt?: string;
  /** Why there was nothing to do. */
  readonly message?: string;
  /** Present for a dry run or a refusal. A call that names it carries out exactly this plan, or does nothing. */
  readonly plan_id?: string;
  /** For a dry run: the entries that would go, come or change. */
  readonly entries?: readonly PlannedEntry[];
}

export interface PlannedEntry {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly preview: string;
  readonly becomes: "removed" | "returned" | "changed";
}

export interface TakenBackReceipt {
  /** Contents that were in the way, and are kept in the store. */
  readonly displaced: readonly unknown[];
  /** Files that could not be put back. */
  readonly blocked: readonly string[];
  /** X8: effects of the turns that no undo takes back. */
  readonly effects: readonly Staying[];
  /** Files that the turns changed and that are in no capture. */
  readonly uncovered: readonly string[];
}

/** Undefined: there was nothing to take back. */
export function takenBackOutcome(
  store: Store,
  thread: string,
  taken: TakeBackResult | undefined,
): Outcome<TakenBackAnswer> {
  return onceMore(() => outcomeOf(store, thread, taken));
}

function outcomeOf(store: Store, thread: string, taken: TakeBackResult | undefined): Outcome<TakenBackAnswer> {
  switch (taken?.kind) {
    case "conflicts":
      return { kind: "conflicts", answer: answerOf(store, taken, thread) };
    case "done":
    case "would-do":
    case "kept":
      return { kind: "answer", answer: answerOf(store, taken, thread) };
    case "busy":
      return taken;
    case "refused":
      if (taken.code !== "nothing-to-do") return taken;
  }
  const version = store.read(thread, ({ state }) => state.version);
  const message = taken ? { message: taken.message } : {};
  return { kind: "answer", answer: { ...NOTHING, version, thread, ...message } };
}

export function conflictMessage({ conflicts }: FilesAnswer): string {
  const which = conflicts.map(({ path, name, kind }) => `${name ?? path} (${kind})`);
  const more = which.length > MOST_NAMED ? `, and ${which.length - MOST_NAMED} more` : "";
  return `These were changed since: ${which.slice(0, MOST_NAMED).join(", ")}${more}. Nothing was changed.`;
}

/** In a sentence; all of them are in the answer. */
const MOST_NAMED = 20;

const LEFT_ALONE = "Nothing was restored: what is not as it should be was left as it is.";

const NOTHING = {
  op_id: null,
  turns_undone: 0,
  messages_removed: 0,
  turns_returned: 0,
  messages_returned: 0,
  files: [],
  files_reverted: [],
  files_deleted: [],
  files_kept: [],
  conflicts: [],
  snapshot_restored: null,
  original_user_text: null,
  receipt: null,
};

function answerOf(store: Store, done: Planned, thread: string): TakenBackAnswer {
  const { plan } = done;
  const { turns_undone, messages_removed, turns_returned, messages_returned, original_user_text } =
    plan.kind === "plan" ? plan : NOTHING;
  const shown = done.kind === "would-do" || done.kind === "conflicts" ? done : undefined;
  const files = filesAnswer({ ...done, refused: done.kind === "conflicts" && !done.dryRun });
  const records = plan.kind === "plan" ? namedConflicts(store, thread, plan.conflicts, shown) : [];
  return {
    ...(done.kind === "done"
      ? store.read(thread, (history) => operationAnswer(history, done.operation))
      : { op_id: null, version: plan.version, ...(shown?.dryRun ? { description: plan.description } : {}) }),
    turns_undone,
    messages_removed,
    turns_returned,
    messages_returned,
    original_user_text,
    ...files,
    conflicts: [...records, ...files.conflicts],
    snapshot_restored: done.kind === "kept" ? null : snapshotRestored(store, thread, plan),
    receipt: receiptOf(store, thread, done, files),
    thread,
    ...(done.kind === "kept" ? { message: LEFT_ALONE } : {}),
    ...(shown ? plannedAnswer(store, thread, shown) : {}),
    ...(done.kind === "done" && done.operation.kind === "undone" ? returnedPrompt(store, thread, plan) : {}),
  };
}

/** U3: the prompt comes back as the draft, unless it was kept or the user has begun another one. */
function returnedPrompt(store: Store, thread: string, plan: Planned["plan"]): { readonly returned_prompt?: string } {
  const text = plan.kind === "plan" ? plan.original_user_text : null;
  const draft = store.read(thread, ({ state }) => setting(state, activeTake(state), "draft"));
  return text !== null && text !== "" && draft === text ? { returned_prompt: text } : {};
}

type Planned = Extract<TakeBackResult, { plan: unknown }>;

/** The snapshot whose files are back, or would be. */
function snapshotRestored(store: Store, thread: string, plan: Planned["plan"]): string | null {
  if (plan.kind === "restore") return plan.snapshot;
  const tree = plan.kind === "jump" ? plan.files.after : plan.files.get(plan.active.after)?.at(-1)?.before;
  return tree === undefined ? null : (store.snapshotLog(thread).withTree(thread, tree)?.id ?? null);
}

function receiptOf(store: Store, thread: string, done: Planned, files: FilesAnswer): TakenBackReceipt {
  const { effects, uncovered } = done.plan.kind === "plan" ? stayingEffects(done.plan) : { effects: [], uncovered: [] };
  const report = done.kind === "done" ? done.report : { displaced: [], blocked: [] };
  return {
    displaced: report.displaced,
    blocked: report.blocked.map(showPath),
    effects: namedEffects(store, thread, effects),
    // The version before may be in a capture, though the turn's own is in none.
    uncovered: uncovered.filter((path) => !files.files_reverted.includes(path)),
  };
}

type Shown = Extract<TakeBackResult, { foreseen: unknown }>;

function plannedAnswer(
  store: Store,
  thread: string,
  { foreseen, dryRun }: Shown,
): Pick<TakenBackAnswer, "plan_id" | "entries"> {
  const { plan_id, entries } = foreseen;
  if (!dryRun) return { plan_id };
  const planned = store.names(thread, (scope) => {
    const nameOf = entryNames(scope);
    return entries.map(({ entry, becomes }) => ({
      id: entry.id,
      name: nameOf(entry.id),
      role: entry.role,
      preview: preview(entry),
      becomes,
    }));
  });
  return { plan_id, entries: planned };
}

function namedConflicts(
  store: Store,
  thread: string,
  conflicts: Plan["conflicts"],
  shown: Shown | undefined,
): FilesAnswer["conflicts"] {
  if (conflicts.length === 0) return [];
  const sides = new Map(shown?.foreseen.records.map((each) => [each.record, each]));
  return store.names(thread, (scope) =>
    conflicts.map(({ record, kind }) => {
      const found = shown?.detail ? sides.get(record) : undefined;
      const about = { path: localId(record), kind, name: nameRecord(scope, record) };
      return found ? { ...about, sides: recordSides(found) } : about;
    }),
  );
}
