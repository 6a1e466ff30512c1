import type { RecordValue } from "../session/diff.ts";
import type { Draft } from "../session/draft.ts";
import { keyOf, kindOf, type RecordId, takeOf } from "../session/record.ts";
import { activeTake, liveTakes, takeById } from "../session/view.ts";
import { equal, type Json } from "../values/json.ts";
import type { Group } from "./groups.ts";
import type { History } from "./history.ts";

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
}

export type ConflictPolicy = "abort" | "keep" | "merge" | "overwrite";

export function takeBack(draft: Draft, group: Group, history: History, policy: ConflictPolicy): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const change of group.spaces) {
    if (change.before === null) draft.drop(change.take);
    else
      draft.graft(
        change.take,
        change.before,
        change.before === "empty" ? draft.base : history.stateAt(change.before.operation),
      );
  }
  const exchanged = new Set(group.spaces.map((change) => change.take));
  for (const [id, { before, after }] of group.records) {
    if (exchanged.has(takeOf(id) ?? "")) continue;
    const now = draft.get(id);
    // A turn is taken back with whatever was edited in its entries since.
    const own = group.role === "turn" && kindOf(id) === "entry" && now?.["turn_id"] === group.turn_id;
    const merged = own ? { value: before, clashes: [] } : threeWay(before, after, now, policy);
    for (const field of merged.clashes) conflicts.push(conflict(id, field));
    if (merged.value === undefined) draft.remove(id);
    else if (merged.value !== now) draft.put(id, merged.value);
  }
  return conflicts;
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
