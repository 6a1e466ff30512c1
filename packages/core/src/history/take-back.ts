import type { RecordValue } from "../session/diff.ts";
import type { Draft } from "../session/draft.ts";
import { type OperationKind, roleOf, type UndoScope } from "../session/operation.ts";
import { keyOf, kindOf, localId, type RecordId, spaceId, type TakeId, takeOf, threadId } from "../session/record.ts";
import { recordOf } from "../session/state.ts";
import { activeTake, liveTakes, readsAsDefault, takeById } from "../session/view.ts";
import { equal, type Json } from "../values/json.ts";
import { treeIn } from "./branch-cuts.ts";
import { type Group, type Transition, UndoneGroups } from "./groups.ts";
import type { History } from "./history.ts";
import { walk } from "./walk.ts";

/**
 * Taking a group back: the heart of undo, redo and revert alike.
 *
 * Each record has three values: *before* the group, *after* it, and *now*. Where now is what the
 * group left, it becomes what it was before. Where only other fields have changed since, those
 * stay. Where the same field has changed since, that is a conflict, and the policy decides. So what
 * is taken back last is taken back exactly, and what is taken back from the middle leaves later work
 * alone.
 *
 *     before   after    now          becomes
 *     A        B        B            A
 *     A        B        A            A            nothing left to do
 *     A        B        C            conflict     abort: nothing · keep: C · overwrite: A
 *     A        B        removed      removed      its later removal stays
 *     -        B        B            -            what the group made goes
 */
export interface Conflict {
  readonly record: RecordId;
  readonly kind: "entry-edited";
  readonly message: string;
  /**
   * Where the record is the files of a take that is not on disk: what is to be taken back of them, and what they are
   * now. Who can look into trees (R3) may find that nothing is in the way.
   */
  readonly files?: Transition & { readonly now: string };
}

export type ConflictPolicy = "abort" | "keep" | "merge" | "overwrite";

export function takeBack(
  draft: Draft,
  group: Group,
  history: History,
  { operation, policy }: { readonly operation: OperationKind; readonly policy: ConflictPolicy },
): Conflict[] {
  const conflicts: Conflict[] = [];
  const spaces = group.scope === "files" ? [] : group.spaces;
  for (const change of spaces) {
    // Step by step, undo has taken back what was done in the take before it comes to what made it.
    if (operation === "reverted" && change.before === null && hasGoneOn(draft, history, change.take, group)) {
      conflicts.push(conflict(threadId("take", change.take), ""));
      if (policy !== "overwrite") return conflicts;
    }
    if (change.before === null) draft.drop(change.take);
    else
      draft.graft(
        change.take,
        change.before,
        change.before === "empty" ? draft.base : history.stateAt(change.before.operation),
      );
  }
  const exchanged = new Set(spaces.map((change) => change.take));
  for (const [id, { before, after }] of group.records) {
    if (exchanged.has(takeOf(id) ?? "") || !isWithin(group.scope, id)) continue;
    const found = draft.get(id);
    // No record, and one that holds the default, read the same (R4).
    const now = readsAsDefault(localId(id), found) && readsAsDefault(localId(id), after) ? after : found;
    if (ofMissingTurn(draft, group, id, before) || isUsersDraft(group, id, operation, equal(now, after))) continue;
    // What changed nothing that can be read is in nobody's way.
    const idle = readsAsDefault(localId(id), before) && readsAsDefault(localId(id), after);
    if (idle && !equal(now, after)) continue;
    // What was sent last is of the last turn, not of this one.
    if (kindOf(id) === "discussion" && !equal(now, after)) continue;
    const merged = goesWithTurn(group, id, now) ? { value: before, clashes: [] } : threeWay(before, after, now, policy);
    const files = { before: treeIn(before), after: treeIn(after), now: treeIn(now) };
    for (const field of merged.clashes)
      conflicts.push({ ...conflict(id, field), ...(kindOf(id) === "workspace" ? { files } : {}) });
    if (merged.value === undefined) draft.remove(id);
    else if (!equal(merged.value, now)) draft.put(id, merged.value);
  }
  return conflicts;
}

/** The files of takes other than the one that is walked are records like any other, but of the files' half. */
function isWithin(scope: UndoScope, id: RecordId): boolean {
  return scope === "both" || (scope === "files") === (kindOf(id) === "workspace");
}

/** A turn goes with whatever was edited in its entries since, whether the group made it or brought it back. */
function goesWithTurn(group: Group, id: RecordId, now: RecordValue): boolean {
  const turn = now?.["turn_id"];
  const makes = (record: RecordId): boolean => {
    const made = group.records.get(record);
    return made !== undefined && made.before === undefined && made.after !== undefined;
  };
  return kindOf(id) === "entry" && makes(id) && makes(spaceId(takeOf(id) ?? "", "turn", String(turn)));
}

/** An entry that was removed from a turn which is itself undone does not come back without it. */
function ofMissingTurn(draft: Draft, group: Group, id: RecordId, before: RecordValue): boolean {
  const turn = kindOf(id) === "entry" && draft.get(id) === undefined ? before?.["turn_id"] : undefined;
  if (typeof turn !== "string") return false;
  const record = spaceId(takeOf(id) ?? "", "turn", turn);
  return (group.records.has(record) ? group.records.get(record)?.before : draft.get(record)) === undefined;
}

/**
 * The draft is what the user is typing: where it has changed since, an undo leaves it, and that is no
 * conflict. What sending a prompt did to it is not taken back: the prompt is given back in another way.
 */
function isUsersDraft(group: Group, id: RecordId, operation: OperationKind, untouched: boolean): boolean {
  if (!isDraft(id)) return false;
  if (operation === "undone") return group.role === "turn" || !untouched;
  return group.role === "turn" && !untouched;
}

function isDraft(id: RecordId): boolean {
  return kindOf(id) === "setting" && keyOf(id) === "draft";
}

/** Whether work that was done in a take since a group made it is still there, and would go with it. */
function hasGoneOn(draft: Draft, history: History, take: TakeId, group: Group): boolean {
  const made = history.stateAt(group.id);
  const undone = new UndoneGroups();
  for (const step of walk(history, take)) {
    if (step.operation.id === group.id) break;
    undone.pass(step);
    const work = ["step", "whole", "turn"].includes(roleOf(step.operation)) && step.operation.take === take;
    if (!work || undone.left(step, "both") === undefined) continue;
    for (const { id, after } of step.changes) {
      const told = takeOf(id) === take && !isDraft(id) && kindOf(id) !== "agent" && kindOf(id) !== "workspace";
      if (told && equal(draft.get(id), after) && !equal(after, recordOf(made, id))) return true;
    }
  }
  return false;
}

/** What must hold of any state, however it was put together; undefined when it does. */
export function brokenInvariant(draft: Draft): string | undefined {
  const active = takeById(draft.state, activeTake(draft.state));
  if (!active || active.deleted) return "The take that would be active is deleted";
  const names = new Set<string>();
  for (const take of liveTakes(draft.state)) {
    if (names.has(take.name)) return `There would be two takes with the name ${take.name}`;
    if (!draft.state.spaces.has(take.id)) return `The take ${take.name} would have no content`;
    names.add(take.name);
  }
  return undefined;
}

function threeWay(
  before: RecordValue,
  after: RecordValue,
  now: RecordValue,
  policy: ConflictPolicy,
): { value: RecordValue; clashes: string[] } {
  if (equal(now, after)) return { value: before, clashes: [] };
  if (equal(now, before) || (now === undefined && before !== undefined && after !== undefined))
    return { value: now, clashes: [] };
  if (before === undefined || after === undefined || now === undefined) {
    const gone = before === undefined && now === undefined;
    return { value: policy === "overwrite" ? before : now, clashes: gone ? [] : [""] };
  }
  const value: Record<string, Json> = { ...now };
  const clashes: string[] = [];
  let changed = false;
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (equal(before[field], after[field]) || equal(now[field], before[field])) continue;
    let result = before[field];
    if (!equal(now[field], after[field])) {
      clashes.push(field);
      if (policy === "merge" && typeof now[field] === "string" && typeof result === "string")
        result = withMarkers(now[field], result);
      else if (policy !== "overwrite") continue;
    }
    changed = true;
    if (result === undefined) delete value[field];
    else value[field] = result;
  }
  return { value: changed ? value : now, clashes };
}

function withMarkers(now: string, before: string): string {
  return `<<<<<<< now\n${now}\n=======\n${before}\n>>>>>>> before\n`;
}

function conflict(record: RecordId, field: string): Conflict {
  const what = field === "" ? "" : ` in its ${field}`;
  return { record, kind: "entry-edited", message: `${kindOf(record)} ${keyOf(record)} was changed${what} since` };
}
