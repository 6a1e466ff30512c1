/**
 * A part of a state, for a screen that cannot hold all of it: a thread may have 100,000 entries, and a state for every
 * moment of its history. A window is a state that holds only what lies in a range:
 *
 *   the thread's records                             all, but of the groups only those of the range
 *   the take's entries                               those of the range, by their order keys
 *   the take's other records                         all, but of the groups those of the range, of the turns those that
 *                                                    an entry of the window names or that runs, and not the last request
 *   other takes' spaces                              empty
 *
 * Facts describe what lies outside: the keys of the entries next to the range, and the number of entries. A window
 * depends only on the state, the take and the range, so a window that was read equals one that was folded from
 * operations (`fold-window.ts`). Cutting a window reads ranges of tables; its cost depends on the size of the window.
 */
import { GROUP } from "../session/group-record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { EMPTY_SPACE, entryOf, orderIndex, type Space, type State } from "../session/state.ts";
import { activeTake, entryById, runningTurn } from "../session/view.ts";
import { HashMap } from "../values/hash-map.ts";
import type { JsonObject } from "../values/json.ts";
import { SortedMap, type Table } from "../values/sorted-map.ts";

export interface Window extends Range, Outside {
  /** Contains only the records in the window. */
  readonly state: State;
  readonly take: string;
}

/** Keys, both included; null when that side is open: later entries on that side belong to the window. */
export interface Range {
  readonly from: string | null;
  readonly to: string | null;
  /** The window contains the undoable groups from this key on. */
  readonly groups: string | null;
}

interface Outside {
  /** The keys of the last entry before the range and of the first after it; null when there is none. */
  readonly previous: string | null;
  readonly next: string | null;
  /** The number of all entries of the take. */
  readonly total: number;
}

export type WindowRequest =
  | { readonly last: number }
  | { readonly before: string; readonly count: number }
  | { readonly after: string; readonly count: number }
  | (Range & { readonly more_before?: number; readonly more_after?: number });

/** The most entries of a window; of a longer range it holds the last ones. */
const MOST_ENTRIES = 2000;
const MOST_GROUPS = 50;

export function cutWindow(state: State, asked: WindowRequest, take = activeTake(state)): Window | Refusal {
  const space = state.spaces.get(take);
  if (!space) return refuse("not-found", `There is no take ${take} in this thread.`);
  const named = "before" in asked ? asked.before : "after" in asked ? asked.after : undefined;
  const entry = named === undefined ? undefined : entryById(state, take, named);
  if (named !== undefined && !entry) return refuse("not-found", `There is no entry ${named} in that take.`);
  const { order } = space;
  const wanted = rangeOf(order, asked, entry && orderIndex(entry));
  const keys: string[] = [];
  for (const [key] of order.descending(wanted.to === null ? undefined : justAfter(wanted.to))) {
    if (wanted.from !== null && key < wanted.from) break;
    keys.push(key);
    if (keys.length === MOST_ENTRIES) break;
  }
  const from = keys.length === MOST_ENTRIES ? (keys.at(-1) as string) : wanted.from;
  const previous = from === null ? null : (firstOf(order.descending(from)) ?? null);
  const groups = "groups" in asked ? asked.groups : oldestGroup(state.thread, space.records);
  const range = { from, to: wanted.to, groups };
  const next = range.to === null ? null : (firstOf(order.entries(justAfter(range.to))) ?? null);
  return {
    take,
    ...range,
    previous,
    next,
    total: order.size,
    state: part(state, take, space, keys.reverse(), groups),
  };
}

/** Sorts right after a key: ids have no character that sorts before this one. */
function justAfter(key: string): string {
  return `${key}!`;
}

export function isInRange({ from, to }: Range, key: string): boolean {
  return (from === null || key >= from) && (to === null || key <= to);
}

/** The turns whose records a window holds: those that its entries name, and the running one. */
export function turnsIn(state: State, take: string): Set<string> {
  const space = state.spaces.get(take) ?? EMPTY_SPACE;
  const turns = new Set<string>();
  for (const [, id] of space.order.entries()) {
    const turn = space.entries.get(id)?.["turn_id"];
    if (typeof turn === "string") turns.add(turn);
  }
  const running = runningTurn(state, take);
  if (running !== undefined) turns.add(running);
  return turns;
}

export const TURN = "turn:";
/** The last request is long and has a route of its own. */
export const SENT = "discussion";

function rangeOf(
  order: Table<string>,
  asked: WindowRequest,
  key = "",
): { readonly from: string | null; readonly to: string | null } {
  if ("last" in asked) return { from: back(order, undefined, asked.last), to: null };
  if ("before" in asked) return { from: back(order, key, asked.count), to: firstOf(order.descending(key)) ?? NOTHING };
  if ("after" in asked) {
    const from = justAfter(key);
    return { from, to: forward(order, from, asked.count) };
  }
  const { more_before = 0, more_after = 0 } = asked;
  return {
    from: asked.from === null || more_before === 0 ? asked.from : back(order, asked.from, more_before),
    to: asked.to === null || more_after === 0 ? asked.to : forward(order, justAfter(asked.to), more_after),
  };
}

/** Sorts before every key. */
const NOTHING = "";

/** The key that lies `count` entries before another; null when the conversation begins sooner. */
function back(order: Table<string>, before: string | undefined, count: number): string | null {
  let found: string | null = null;
  let left = count;
  for (const [key] of order.descending(before)) {
    if (left === 0) return found;
    found = key;
    left -= 1;
  }
  return null;
}

/** The key of the last of `count` entries; null when the conversation ends sooner. */
function forward(order: Table<string>, from: string, count: number): string | null {
  let found: string | null = null;
  let left = count;
  for (const [key] of order.entries(from)) {
    if (left === 0) return found;
    found = key;
    left -= 1;
  }
  return null;
}

function oldestGroup(...tables: readonly Table<JsonObject>[]): string | null {
  const keys = tables.flatMap((table) => {
    const newest: string[] = [];
    for (const [key] of table.descending(afterAll(GROUP))) {
      if (!key.startsWith(GROUP) || newest.length > MOST_GROUPS) break;
      newest.push(key);
    }
    return newest;
  });
  if (keys.length <= MOST_GROUPS) return null;
  return keys.sort().at(-MOST_GROUPS) ?? null;
}

function part(state: State, take: string, space: Space, keys: readonly string[], groups: string | null): State {
  const ordered = keys.map((key) => [key, space.order.get(key) as string] as const);
  const found = ordered.map(([, id]) => [id, entryOf(space, id) as JsonObject] as const);
  const entries = { entries: HashMap.from(found), order: SortedMap.fromSorted(ordered) };
  const thread = SortedMap.fromSorted(smallRecords(state.thread, groups));
  const records: Table<JsonObject> = SortedMap.fromSorted(smallRecords(space.records, groups));
  const others = [...state.spaces.entries()].map(([each]) => [each, EMPTY_SPACE] as const);
  const spaces = SortedMap.fromSorted(others).with(take, { ...entries, records });
  const cut: State = { ...state, thread, spaces };
  let turns = records;
  for (const turn of turnsIn(cut, take)) {
    const record = space.records.get(TURN + turn);
    if (record) turns = turns.with(TURN + turn, record);
  }
  return { ...cut, spaces: spaces.with(take, { ...entries, records: turns }) };
}

/** All records except those of which there is one for each turn or step: there may be many. */
function smallRecords(table: Table<JsonObject>, groups: string | null): (readonly [string, JsonObject])[] {
  const found: (readonly [string, JsonObject])[] = [];
  for (let from: string | undefined = ""; from !== undefined; ) {
    const begin: string = from;
    from = undefined;
    for (const pair of table.entries(begin)) {
      const many = [GROUP, TURN].find((prefix) => pair[0].startsWith(prefix));
      if (many === GROUP) found.push(...groupsFrom(table, groups));
      if (many !== undefined) {
        from = afterAll(many);
        break;
      }
      if (pair[0] !== SENT) found.push(pair);
    }
  }
  return found;
}

function* groupsFrom(table: Table<JsonObject>, groups: string | null): IterableIterator<readonly [string, JsonObject]> {
  for (const pair of table.entries(groups ?? GROUP)) {
    if (!pair[0].startsWith(GROUP)) return;
    yield pair;
  }
}

/** Sorts right after everything with this prefix. */
function afterAll(prefix: string): string {
  return `${prefix.slice(0, -1)};`;
}

function firstOf(pairs: IterableIterator<readonly [string, unknown]>): string | undefined {
  for (const [key] of pairs) return key;
  return undefined;
}
