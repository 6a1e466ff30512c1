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
import { type Conflict, type ConflictPolicy, conflict } from "./conflict.ts";
import { changesOf, type GroupChanges, operationsOf, type Taken, type Transition } from "./group-changes.ts";
import type { History } from "./history.ts";
import { fieldsOf, threeWay, valueAround } from "./three-way.ts";

/**
 * Taking a group back: the heart of undo, redo and revert alike.
 *
 * Each field of a record has three values: *before* the group, *after* it, and *now*. Where now is what the
 * group left, it becomes what it was before. Where the same field has changed since, that is a conflict, and the policy
 * decides. So what is taken back last is taken back exactly, and what is taken back from the middle leaves later work
 * alone.
 *
 *     before   after    now          becomes
 *     A        B        B            A
 *     A        B        A            A            nothing left to do
 *     A        B        C            conflict     abort: nothing · keep: C · overwrite: A
 *     A        B        removed      removed      its later removal stays
 *     -        B        B            -            what the group made goes
 *
 * The values come from the group's own operations (`three-way.ts`), so that the cost is that of the group, wherever it lies.
 */
export interface TakenBack {
  readonly conflicts: readonly Conflict[];
  /** False where it had no effect left: nothing was taken back. */
  readonly effect: boolean;
  /** What whoever can look into trees must take back, by take, newest first. */
  readonly files: ReadonlyMap<TakeId, readonly Transition[]>;
}

export interface Way {
  readonly operation: OperationKind;
  readonly policy: ConflictPolicy;
}

export function takeBack(draft: Draft, taken: Taken, history: History, way: Way): TakenBack {
  const changes = changesOf(history, taken, draft.state);
  const { scope } = taken;
  const spaces = scope === "files" ? [] : changes.spaces;
  for (const { take, before } of spaces) {
    // Step by step, undo has taken back what was done in the take before it comes to what made it.
    if (way.operation === "reverted" && before === null && hasGoneOn(draft, take)) {
      const conflicts = [conflict(threadId("take", take), "")];
      if (way.policy !== "overwrite") return { conflicts, effect: false, files: new Map() };
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
  const effect = spaces.length > 0 || records.effect || files.length > 0;
  // A step that has no effect left (an edit of an entry that went with its turn) is passed over, and stays in force.
  const idle = !effect && conflicts.length === 0 && way.operation === "undone" && taken.group.record.role !== "turn";
  if (!idle) settle(draft, taken, changes, exchanged);
  return { conflicts, effect: !idle, files: new Map(files) };
}

function takeBackRecords(
  draft: Draft,
  taken: Taken,
  changes: GroupChanges,
  exchanged: ReadonlySet<TakeId>,
  history: History,
  { operation, policy }: Way,
): Pick<TakenBack, "conflicts" | "effect"> {
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
    if (isOfMissingTurn(draft, changes, id, list) || isKeptDraft(taken, id, operation)) continue;
    const merged = goesWithTurn(changes, id, list, now)
      ? { value: undefined, clashes: [] }
      : threeWay(list, now, policy, () => valueBefore(history, taken, id));
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

/** Exact where nothing came since; else the tree stays what it is until somebody has merged it. */
function takeBackTree(draft: Draft, take: TakeId, transitions: readonly Transition[]): void {
  let now = tree(draft.state, take);
  for (const { before, after } of transitions) if (now === after) now = before;
  draft.put(spaceId(take, "workspace"), { tree: now });
}

/**
 * What a group took back of another one is in force again, and what it brought back is not: of both halves, or of the
 * one that is taken back.
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

/** The group's record goes with what was taken back, or says what is left; and so do those that it had changed. */
export function settle(draft: Draft, taken: Taken, { records }: GroupChanges, exchanged: ReadonlySet<TakeId>): void {
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

function ownRecord({ group, take }: Taken): RecordId {
  return groupId(group.thread ? undefined : take, group.version);
}

/**
 * A turn goes with whatever was edited in its entries since, whether the group made it or brought it back. So does its own
 * record: in a branch that was made inside of the turn it tells of an end that the branch has no operation of.
 */
function goesWithTurn({ records }: GroupChanges, id: RecordId, list: readonly Change[], now: RecordValue): boolean {
  if (kindOf(id) === "turn") return makes(list);
  const turn = spaceId(takeOf(id) ?? "", "turn", String(now?.["turn_id"]));
  return kindOf(id) === "entry" && makes(list) && makes(records.get(turn) ?? []);
}

function makes(list: readonly Change[]): boolean {
  return list[0]?.kind === "create" && list.at(-1)?.kind !== "remove";
}

/** An entry that was removed from a turn which is itself undone does not come back without it. */
function isOfMissingTurn(draft: Draft, { records }: GroupChanges, id: RecordId, list: readonly Change[]): boolean {
  if (kindOf(id) !== "entry" || draft.get(id) !== undefined || list.at(-1)?.kind !== "remove") return false;
  const before = valueAround(list)?.before;
  const turn = before?.["turn_id"];
  if (typeof turn !== "string") return false;
  const record = spaceId(takeOf(id) ?? "", "turn", turn);
  const own = records.get(record);
  return own ? own[0]?.kind === "create" : draft.get(record) === undefined;
}

/** What sending a prompt did to the draft is not undone: the prompt is given back in another way. */
function isKeptDraft({ group }: Taken, id: RecordId, operation: OperationKind): boolean {
  return isDraft(id) && operation === "undone" && group.record.role === "turn";
}

/** The draft is what the user is typing: where it has changed since it stays, and is in nobody's way. */
function isDraft(id: RecordId): boolean {
  return kindOf(id) === "setting" && keyOf(id) === "draft";
}

/** Whether work that was done in a take since it was made is still there, and would go with it. */
function hasGoneOn(draft: Draft, take: TakeId): boolean {
  const since = takeById(draft.state, take)?.since ?? 0;
  for (const { thread, version, record } of liveGroups(draft.state, take))
    if (!thread && version > since && record.role !== "undo") return true;
  return false;
}

/** What must hold of any state, however it was put together; undefined when it does. */
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

function valueBefore(history: History, { group, take }: Taken, id: RecordId): RecordValue {
  const [first] = operationsOf(history, group.record);
  const parent = first?.parents[0];
  if (!first || parent === undefined) return undefined;
  const there = !group.thread && takeOf(id) === take ? id.replace(`${take}/`, `${first.take}/`) : id;
  return recordOf(history.stateAt(parent), there);
}

/** What remains of a scope when another is taken out of it; undefined when nothing does. */
export function without(scope: UndoScope, taken: UndoScope): UndoScope | undefined {
  if (taken === "both" || taken === scope) return undefined;
  if (scope !== "both") return scope;
  return taken === "files" ? "conversation" : "files";
}
