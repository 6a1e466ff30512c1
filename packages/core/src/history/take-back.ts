import type { Change, RecordValue } from "../session/diff.ts";
import type { Draft } from "../session/draft.ts";
import { groupId } from "../session/group-record.ts";
import { kindFor } from "../session/kinds.ts";
import { liveGroups } from "../session/live-groups.ts";
import type { OperationKind, UndoScope } from "../session/operation.ts";
import { keyOf, kindOf, type RecordId, spaceId, type TakeId, takeOf, threadId } from "../session/record.ts";
import { recordOf } from "../session/state.ts";
import { activeId, liveTakes, takeById, tree } from "../session/view.ts";
import { equal, type Json } from "../values/json.ts";
import { type Conflict, type ConflictChoice, conflict, policyFor } from "./conflict.ts";
import { changesOf, type GroupChanges, type GroupSelection, operationsOf, type Transition } from "./group-changes.ts";
import type { History } from "./history.ts";
import { fieldsOf, threeWay, valueAround } from "./three-way.ts";

/**
 * Takes a group back: the common core of undo, redo and revert.
 *
 * Each field of a record has three values: *before* the group, *after* it, and *now*. Where *now* equals *after*, the
 * field is set to *before*. Where the field has changed later, that is a conflict, and the policy decides. So taking
 * back the newest group is exact, and taking back a group in the middle leaves later work alone.
 *
 *     before   after    now          result
 *     A        B        B            A
 *     A        B        A            A            nothing left to do
 *     A        B        C            conflict     abort: nothing · keep: C · overwrite: A
 *     A        B        removed      removed      the later removal stays
 *     -        B        B            -            what the group created is removed
 *
 * The values come from the group's own operations (`three-way.ts`), so the cost depends on the group alone and not on
 * its place in the history.
 */
export interface GroupEffect {
  readonly conflicts: readonly Conflict[];
  /** False when the group had no effect left, so that nothing was taken back. */
  readonly effect: boolean;
  /** Whether records change, and not only files. */
  readonly changesRecords: boolean;
  /** The file transitions to reverse, by take, newest first. Core has no files: the runtime reverses them. */
  readonly files: ReadonlyMap<TakeId, readonly Transition[]>;
}

export interface Way extends ConflictChoice {
  readonly operation: OperationKind;
}

export function takeBack(draft: Draft, taken: GroupSelection, history: History, way: Way): GroupEffect {
  const changes = changesOf(history, taken, draft.state);
  const { scope } = taken;
  const spaces = scope === "files" ? [] : changes.spaces;
  for (const { take, before } of spaces) {
    // Undo takes back all work in a take before it reaches the operation that made the take; only a revert can meet
    // such work.
    if (way.operation === "reverted" && before === null && hasGoneOn(draft, take)) {
      const record = threadId("take", take);
      const conflicts = [conflict(record, "")];
      if (policyFor(way, record) !== "overwrite")
        return { conflicts, effect: false, changesRecords: false, files: new Map() };
    }
    if (before === null) draft.drop(take);
    else draft.graft(take, before, before === "empty" ? draft.base : history.stateAt(before.operation));
  }
  const exchanged = new Set(spaces.map((change) => change.take));
  const records =
    scope === "files"
      ? { conflicts: [], effect: false }
      : takeBackRecords(draft, taken, changes, exchanged, history, way);
  const files =
    scope === "conversation"
      ? []
      : [...changes.files].filter(([take]) => draft.state.spaces.has(take) && !exchanged.has(take));
  for (const [take, transitions] of files) takeBackTree(draft, take, transitions);
  const { conflicts } = records;
  const flips = way.operation === "reverted" && flipsGroups(taken, changes);
  const changesRecords = spaces.length > 0 || records.effect || flips;
  const hasEffect = changesRecords || files.length > 0 || conflicts.length > 0;
  // Undo skips a step that has no effect left (an edit of an entry that went with its turn), and revert refuses any. It stays in force.
  const mayBeIdle = way.operation === "reverted" || (way.operation === "undone" && taken.group.record.role !== "turn");
  const effect = hasEffect || !mayBeIdle;
  if (effect) settle(draft, taken, changes, exchanged);
  return { conflicts, effect, changesRecords, files: new Map(files) };
}

function takeBackRecords(
  draft: Draft,
  taken: GroupSelection,
  changes: GroupChanges,
  exchanged: ReadonlySet<TakeId>,
  history: History,
  way: Way,
): Pick<GroupEffect, "conflicts" | "effect"> {
  const conflicts: Conflict[] = [];
  let effect = false;
  for (const [id, list] of changes.records) {
    const kind = kindFor(id);
    const take = takeOf(id);
    if (
      kind.undo === "never" ||
      kind.undo === "groups" ||
      (take !== undefined && (exchanged.has(take) || !draft.state.spaces.has(take)))
    )
      continue;
    const now = draft.get(id);
    if (isOfMissingTurn(draft, changes, id, list) || isKeptDraft(taken, id, way.operation)) continue;
    const merged = goesWithTurn(changes, id, list, now)
      ? { value: undefined, clashes: [] }
      : threeWay(list, now, policyFor(way, id), kind.text?.(keyOf(id)), () => valueBefore(history, taken, id));
    const later = merged.clashes.length > 0;
    if (later && (kind.undo === "if-unchanged" || isDraft(id))) continue;
    for (const field of merged.clashes) conflicts.push(conflict(id, field));
    if (equal(merged.value, now)) continue;
    if (merged.value === undefined) draft.remove(id);
    else draft.put(id, merged.value);
    effect = true;
  }
  return { conflicts, effect };
}

/** Sets the tree exactly when nothing came later; otherwise the tree stays until the files are merged. */
function takeBackTree(draft: Draft, take: TakeId, transitions: readonly Transition[]): void {
  let now = tree(draft.state, take);
  for (const { before, after } of transitions) if (now === after) now = before;
  draft.put(spaceId(take, "workspace"), { tree: now });
}

/**
 * Groups that this group had taken back are in force again, and groups that it had brought back no longer are: for both
 * halves (conversation and files), or for the half in `scope`.
 */
function takeBackGroup(draft: Draft, id: RecordId, list: readonly Change[], scope: UndoScope): void {
  const known = valueAround(list);
  const now = draft.get(id);
  const lefts = fieldsOf(list).get("left") as { before?: Json; after?: Json }[] | undefined;
  const before = known ? halves(known.before) : halves({ left: lefts?.[0]?.before ?? "both" });
  const after = known ? halves(known.after) : halves({ left: lefts?.at(-1)?.after ?? "both" });
  const force = halves(now);
  for (const half of halves({ left: scope })) {
    if (before.has(half) && !after.has(half)) force.add(half);
    if (after.has(half) && !before.has(half)) force.delete(half);
  }
  const record = now ?? known?.before ?? known?.after;
  const [only] = force;
  if (only === undefined) draft.remove(id);
  else if (record) {
    const { left: _, ...rest } = record;
    draft.put(id, force.size === 2 ? rest : { ...rest, left: only });
  }
}

function halves(record: RecordValue): Set<"conversation" | "files"> {
  const left = record === undefined ? "none" : (record["left"] ?? "both");
  return new Set((["conversation", "files"] as const).filter((half) => left === "both" || left === half));
}

/**
 * Removes the group's record, or notes in it which half is left. Updates the records of groups that this group changed.
 */
export function settle(
  draft: Draft,
  taken: GroupSelection,
  { records }: GroupChanges,
  exchanged: ReadonlySet<TakeId>,
): void {
  const own = ownRecord(taken);
  for (const [id, list] of records) {
    const take = takeOf(id);
    if (kindOf(id) !== "group" || id === own) continue;
    if (take === undefined || (draft.state.spaces.has(take) && !exchanged.has(take)))
      takeBackGroup(draft, id, list, taken.scope);
  }
  const record = taken.result === undefined ? recordOf(draft.state, own) : undefined;
  if (!record) return;
  const left = without((record["left"] as UndoScope | undefined) ?? "both", taken.scope);
  if (left === undefined) draft.remove(own);
  else draft.update(own, { left });
}

/** Whether the group took other groups back, or brought them back. */
function flipsGroups(taken: GroupSelection, { records }: GroupChanges): boolean {
  const own = ownRecord(taken);
  return [...records.keys()].some((id) => kindOf(id) === "group" && id !== own);
}

function ownRecord({ group, take }: GroupSelection): RecordId {
  return groupId(group.thread ? undefined : take, group.version);
}

/**
 * The entries of a turn are removed together with later edits of them, whether the group created the turn or brought it
 * back. The turn's own record is removed too: in a branch made inside the turn, it describes an end for which the
 * branch has no operation.
 */
function goesWithTurn({ records }: GroupChanges, id: RecordId, list: readonly Change[], now: RecordValue): boolean {
  if (kindOf(id) === "turn") return makes(list);
  const turn = spaceId(takeOf(id) ?? "", "turn", String(now?.["turn_id"]));
  return kindOf(id) === "entry" && makes(list) && makes(records.get(turn) ?? []);
}

function makes(list: readonly Change[]): boolean {
  return list[0]?.kind === "create" && list.at(-1)?.kind !== "remove";
}

/** Whether an entry was removed from a turn that is now undone: it does not come back without its turn. */
function isOfMissingTurn(draft: Draft, { records }: GroupChanges, id: RecordId, list: readonly Change[]): boolean {
  if (kindOf(id) !== "entry" || draft.get(id) !== undefined || list.at(-1)?.kind !== "remove") return false;
  const before = valueAround(list)?.before;
  const turn = before?.["turn_id"];
  if (typeof turn !== "string") return false;
  const record = spaceId(takeOf(id) ?? "", "turn", turn);
  const own = records.get(record);
  return own ? own[0]?.kind === "create" : draft.get(record) === undefined;
}

/** Sending a prompt empties the draft. Undo does not reverse that: it returns the prompt in another way. */
function isKeptDraft({ group }: GroupSelection, id: RecordId, operation: OperationKind): boolean {
  return isDraft(id) && operation === "undone" && group.record.role === "turn";
}

/** The draft is the text that the user is typing. When it has changed, it stays and is no conflict. */
function isDraft(id: RecordId): boolean {
  return kindOf(id) === "setting" && keyOf(id) === "draft";
}

/** Whether a take holds work that was done after the take was made and that would be lost with it. */
function hasGoneOn(draft: Draft, take: TakeId): boolean {
  const since = takeById(draft.state, take)?.since ?? 0;
  for (const { thread, version, record } of liveGroups(draft.state, take))
    if (!thread && version > since && record.role !== "undo") return true;
  return false;
}

/** Checks what must hold for every state; the answer says what is broken, or is undefined. */
export function brokenInvariant(draft: Draft): string | undefined {
  const active = takeById(
    draft.state,
    String(recordOf(draft.state, activeId(draft.state))?.["take"] ?? liveTakes(draft.state)[0]?.id),
  );
  if (!active || active.deleted) return "The take that would be active is deleted";
  const names = new Set<string>();
  for (const take of liveTakes(draft.state)) {
    if (names.has(take.name)) return `There would be two takes with the name ${take.name}`;
    if (!draft.state.spaces.has(take.id)) return `The take ${take.name} would have no content`;
    names.add(take.name);
  }
  return undefined;
}

function valueBefore(history: History, { group, take }: GroupSelection, id: RecordId): RecordValue {
  const [first] = operationsOf(history, group.record);
  const parent = first?.parents[0];
  if (!first || parent === undefined) return undefined;
  const there = !group.thread && takeOf(id) === take ? id.replace(`${take}/`, `${first.take}/`) : id;
  return recordOf(history.stateAt(parent), there);
}

/** The rest of a scope without another one; undefined when nothing is left. */
export function without(scope: UndoScope, taken: UndoScope): UndoScope | undefined {
  if (taken === "both" || taken === scope) return undefined;
  if (scope !== "both") return scope;
  return taken === "files" ? "conversation" : "files";
}
