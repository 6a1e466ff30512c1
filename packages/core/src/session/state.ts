import { HashMap, type Lookup } from "../values/hash-map.ts";
import type { JsonObject } from "../values/json.ts";
import { SortedMap, type Table } from "../values/sorted-map.ts";
import { applyChange, type Change, type PastSpace, type RecordValue, reverseChange, type SpaceSource } from "./diff.ts";
import { groupsAfter, isLater } from "./group-record.ts";
import type { Operation, OperationId } from "./operation.ts";
import { kindOf, localId, type RecordId, type TakeId, takeOf } from "./record.ts";

/**
 * The state of a thread after some operation: immutable records, which share everything unchanged with the states
 * before.
 */
export interface State {
  /** The device whose state it is: each device has its own active take. Empty when there is only one device. */
  readonly device: string;
  /** The operation that led here; null before the first. */
  readonly head: OperationId | null;
  /** How many operations led here. */
  readonly version: number;
  /** The records of the thread as a whole, by id. */
  readonly thread: Table<JsonObject>;
  readonly spaces: Table<Space>;
  /** The burst of typing that the next keystroke may join; null when any other operation came last. */
  readonly typing: Typing | null;
}

/** The records of one take. There are many entries and few other records, so they are stored separately. */
export interface Space {
  /** By their ids. */
  readonly entries: Lookup<JsonObject>;
  /** The entries' ids, by their order keys. */
  readonly order: Table<string>;
  /** All others, by their local ids. */
  readonly records: Table<JsonObject>;
  /** Set when `entries` holds more than the space: only those in `order` belong to it. */
  readonly cut?: true;
}

export interface Typing {
  readonly group: OperationId;
  readonly record: RecordId;
  readonly field: string;
  readonly actor: string;
  readonly at: number;
}

export const EMPTY_STATE: State = {
  device: "",
  head: null,
  version: 0,
  thread: SortedMap.empty(),
  spaces: SortedMap.empty(),
  typing: null,
};

export const EMPTY_SPACE: Space = { entries: HashMap.empty(), order: SortedMap.empty(), records: SortedMap.empty() };

const ENTRY = "entry:";

/** The state after an operation. `stateAt` returns past states whose spaces the operation copies. */
export function apply(state: State, operation: Operation, stateAt: (operation: OperationId) => State): State {
  const parent = operation.parents[0] ?? null;
  if (parent !== state.head) {
    throw new Error(`operation ${operation.id} follows ${parent ?? "nothing"}, not ${state.head ?? "nothing"}`);
  }
  let next = state;
  for (const { take, after } of operation.diff.spaces ?? []) {
    next = withSpace(next, take, after, (past) => (past === state.head ? state : stateAt(past)));
  }
  for (const change of operation.diff.changes) next = withChange(next, change);
  return { ...next, head: operation.id, version: operation.version, typing: typingAfter(operation) };
}

/**
 * The state before an operation, computed from the state after it. `stateAt` returns the spaces that the operation
 * replaced or removed: the state no longer holds them.
 */
export function unapply(
  state: State,
  operation: Operation,
  before: Pick<State, "head" | "version" | "typing">,
  spaceBefore: (take: TakeId) => Space | undefined,
): State {
  if (state.head !== operation.id) throw new Error(`operation ${operation.id} did not lead to ${state.head}`);
  let previous = state;
  for (const change of operation.diff.changes.toReversed()) previous = withChange(previous, reverseChange(change));
  for (const { take } of operation.diff.spaces?.toReversed() ?? []) {
    const space = spaceBefore(take);
    previous = { ...previous, spaces: space ? previous.spaces.with(take, space) : previous.spaces.without(take) };
  }
  return { ...previous, ...before };
}

export function recordOf(state: State, id: RecordId): RecordValue {
  const take = takeOf(id);
  if (take === undefined) return state.thread.get(id);
  const space = state.spaces.get(take);
  return space && localRecord(space, localId(id));
}

/** All records of a space by their local ids: the entries in order, then the others. */
export function* recordsIn(space: Space): IterableIterator<readonly [string, JsonObject]> {
  for (const [, id] of space.order.entries()) yield [ENTRY + id, space.entries.get(id) as JsonObject];
  yield* space.records.entries();
}

/** The same state with one record set or, when the value is undefined, removed. */
export function withRecord(state: State, id: RecordId, value: RecordValue): State {
  const take = takeOf(id);
  if (take === undefined) {
    return { ...state, thread: value === undefined ? state.thread.without(id) : state.thread.with(id, value) };
  }
  const space = state.spaces.get(take);
  if (!space) throw new Error(`${id} lies in a take that does not exist`);
  return { ...state, spaces: state.spaces.with(take, withLocal(space, localId(id), value)) };
}

/** The same state with a take's space replaced by the one that `source` names, or removed. */
export function withSpace(
  state: State,
  take: TakeId,
  source: SpaceSource | null,
  stateAt: (operation: OperationId) => State,
): State {
  if (source === null) return { ...state, spaces: state.spaces.without(take) };
  const space = source === "empty" ? EMPTY_SPACE : pastSpace(source, stateAt(source.operation));
  return { ...state, spaces: state.spaces.with(take, space) };
}

function pastSpace({ operation, take, upto, until }: PastSpace, state: State): Space {
  const space = state.spaces.get(take);
  if (!space) throw new Error(`take ${take} does not exist after ${operation}`);
  const { records: all } = space;
  const records =
    until === undefined
      ? all
      : all.withoutRange(...groupsAfter(until)).where((local, value) => !isLater(local, value, until));
  if (upto === undefined) return { ...space, records };
  return { ...space, records, order: space.order.withoutRange(`${upto} ${LAST}`), cut: true };
}

/** Sorts after every id: they are ASCII. */
const LAST = "\u007f";

/** Two entries can have the same order key after an import; their ids then decide. */
export function orderIndex(entry: { readonly order: string; readonly id: string }): string {
  return `${entry.order} ${entry.id}`;
}

function withChange(state: State, change: Change): State {
  return withRecord(state, change.id, applyChange(recordOf(state, change.id), change));
}

function localRecord(space: Space, local: string): RecordValue {
  return local.startsWith(ENTRY) ? entryOf(space, local.slice(ENTRY.length)) : space.records.get(local);
}

export function entryOf(space: Space, id: string): RecordValue {
  const entry = space.entries.get(id);
  if (!entry || !space.cut) return entry;
  return space.order.has(orderIndex({ order: entry["order"] as string, id })) ? entry : undefined;
}

function withLocal(space: Space, local: string, value: RecordValue): Space {
  if (local.startsWith(ENTRY)) return withEntry(space, local.slice(ENTRY.length), value);
  return { ...space, records: value === undefined ? space.records.without(local) : space.records.with(local, value) };
}

function withEntry(space: Space, id: string, value: RecordValue): Space {
  const before = entryOf(space, id);
  const entries = value === undefined ? space.entries.without(id) : space.entries.with(id, value);
  const from = before && orderIndex({ order: before["order"] as string, id });
  const to = value && orderIndex({ order: value["order"] as string, id });
  if (from === to) return { ...space, entries };
  let order = space.order;
  if (from !== undefined) order = order.without(from);
  if (to !== undefined) order = order.with(to, id);
  return { ...space, entries, order };
}

/** A burst of typing continues as long as the same person changes the same field of the same record. */
export function typingAfter(operation: Operation): Typing | null {
  const field =
    operation.kind === "entry-edited" ? "content" : operation.kind === "setting-changed" ? "value" : undefined;
  if (field === undefined) return null;
  const [change, ...others] = operation.diff.changes.filter(({ id }) => kindOf(id) !== "group");
  if (!change || others.length > 0 || change.kind === "remove") return null;
  const fields = Object.keys(change.kind === "update" ? change.fields : change.after);
  if (!fields.includes(field)) return null;
  return {
    group: operation.group,
    record: change.id,
    field,
    actor: actorKey(operation.actor),
    at: operation.created_at,
  };
}

export function actorKey(actor: Operation["actor"]): string {
  return `${actor.kind}/${actor.name ?? ""}`;
}
