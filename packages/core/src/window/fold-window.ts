import type { Change } from "../session/diff.ts";
import { GROUP } from "../session/group-record.ts";
import type { Operation } from "../session/operation.ts";
import { kindOf, localId, spaceId, takeOf } from "../session/record.ts";
import { apply, EMPTY_SPACE, orderIndex, recordOf, type State, typingAfter, withRecord } from "../session/state.ts";
import { entryById, recordsOf, runningTurn } from "../session/view.ts";
import type { JsonObject } from "../values/json.ts";
import { isInRange, SENT, TURN, turnsIn, type Window } from "./window.ts";

/**
 * The window after an operation: applies the part of its diff that lies in the window, and updates the facts about the
 * rest. Undefined when that needs more than the window holds and the window must be read again: the take's space was
 * replaced, an entry from outside moved into the range, or the entry next to the range was removed.
 */
export function foldWindow(window: Window, operation: Operation): Window | undefined {
  const { state, take } = window;
  const { changes, spaces = [] } = operation.diff;
  if ((operation.parents[0] ?? null) !== state.head || spaces.some((each) => each.take === take)) return undefined;
  const outside = { previous: window.previous, next: window.next, total: window.total };
  const isOutside = (key: string) => {
    if (isInRange(window, key)) return false;
    const before = window.from !== null && key < window.from;
    if (before) outside.previous = outside.previous === null || key > outside.previous ? key : outside.previous;
    else outside.next = outside.next === null || key < outside.next ? key : outside.next;
    return true;
  };
  const kept: Change[] = [];
  /** Entries that moved, and turns that entries newly name. */
  const moved: string[] = [];
  const named = new Set<string>();
  for (const change of changes) {
    if (kindOf(change.id) !== "entry") {
      if (isHeld(window, change)) kept.push(change);
      continue;
    }
    if (takeOf(change.id) !== take) continue;
    const id = localId(change.id).slice("entry:".length);
    if (change.kind === "update") {
      const there = entryById(state, take, id) !== undefined;
      if (!there && "order" in change.fields) return undefined;
      if (!there) continue;
      kept.push(change);
      if ("order" in change.fields) moved.push(id);
      if ("turn_id" in change.fields) named.add(id);
      continue;
    }
    const record = change.kind === "create" ? change.after : change.before;
    const key = orderIndex({ order: record["order"] as string, id });
    outside.total += change.kind === "create" ? 1 : -1;
    if (change.kind === "remove" && (key === outside.previous || key === outside.next)) return undefined;
    if (!isInRange(window, key)) {
      if (change.kind === "create") isOutside(key);
      continue;
    }
    kept.push(change);
    if (change.kind === "create") named.add(id);
  }
  let next = apply(state, { ...operation, diff: { changes: kept } }, noPast);
  for (const id of moved) {
    const entry = entryById(next, take, id);
    if (entry && isOutside(orderIndex(entry))) next = withRecord(next, spaceId(take, "entry", id), undefined);
  }
  const turns = [runningTurn(next, take), ...[...named].map((id) => entryById(next, take, id)?.["turn_id"])];
  for (const turn of turns)
    if (typeof turn === "string" && !recordOf(next, spaceId(take, "turn", turn))) return undefined;
  next = withTurns(next, take);
  for (const { take: other, after } of spaces)
    next = {
      ...next,
      spaces: after === null ? next.spaces.without(other) : next.spaces.with(other, EMPTY_SPACE),
    };
  return { ...window, ...outside, state: { ...next, typing: typingAfter(operation) } };
}

/** The window without its oldest entries, so that `count` remain. */
export function narrowWindow(window: Window, count: number): Window {
  const { state, take } = window;
  const space = state.spaces.get(take);
  const from = space?.order.at(space.order.size - count)?.[0];
  if (!space || from === undefined || space.order.size <= count) return window;
  const left = [...space.order.descending(from)];
  let next = state;
  for (const [, id] of left) next = withRecord(next, spaceId(take, "entry", id), undefined);
  return { ...window, from, previous: left[0]?.[0] ?? window.previous, state: withTurns(next, take) };
}

/** Whether the window holds a record (no entry) that a change is about. */
function isHeld({ state, take, groups }: Window, change: Change): boolean {
  const where = takeOf(change.id);
  if (where !== undefined && where !== take) return false;
  const local = localId(change.id);
  if (local.startsWith(GROUP)) return groups === null || local >= groups;
  if (where === undefined) return true;
  if (local.startsWith(TURN)) return change.kind === "create" || recordOf(state, change.id) !== undefined;
  return local !== SENT;
}

/** The state without the turns that nothing in the window names any more. */
function withTurns(state: State, take: string): State {
  const needed = turnsIn(state, take);
  const over: string[] = [];
  for (const [turn] of recordsOf(state, take, "turn") as Iterable<readonly [string, JsonObject]>)
    if (!needed.has(turn)) over.push(turn);
  return over.reduce((next, turn) => withRecord(next, spaceId(take, "turn", turn), undefined), state);
}

function noPast(): never {
  throw new Error("a window has no past");
}
