import type { JsonObject } from "../values/json.ts";
import { type OperationId, type Role, roleOf } from "./operation.ts";
import { spaceId, type TakeId, threadId } from "./record.ts";
import type { State } from "./state.ts";

/**
 * What can be taken back is state. Each group of operations has a record while it is in force: made with its first
 * operation, removed by the undo that takes it back, put back by the redo. So "can undo" is a look-up, and nobody reads
 * the log to learn what is undone. An undo has a record too, which a redo removes: it is what redo takes back next.
 *
 * A group of one take lies in that take's space, and a branch copies it with the rest. A group of the thread as a whole
 * lies beside the takes, and is in the history of every take that was there when it was made.
 */
export interface GroupRecord {
  /** The first operation of the group. */
  readonly id: OperationId;
  readonly role: "step" | "whole" | "turn" | "undo";
  readonly turn_id?: string;
  /** What is left to take back, where half of it was. */
  readonly left?: "conversation" | "files";
  /** In a branch that was made inside of a turn: the last version of the turn that the branch has. */
  readonly until?: number;
}

/** A group that is in force, and where its record lies. */
export interface LiveGroup {
  readonly record: GroupRecord;
  /** The version of its first operation. */
  readonly version: number;
  /** It belongs to the thread as a whole. */
  readonly thread: boolean;
}

const PREFIX = "group:";
const DIGITS = 8;

/** Sorts as the versions do. */
export function groupKey(version: number): string {
  return version.toString(36).padStart(DIGITS, "0");
}

export function groupId(take: TakeId | undefined, version: number): string {
  return take === undefined ? threadId("group", groupKey(version)) : spaceId(take, "group", groupKey(version));
}

/** Whether a record of a space came with a group or a turn that began after a version: a branch leaves those out. */
export function isLater(local: string, value: JsonObject, version: number): boolean {
  if (local.startsWith(PREFIX)) return local > PREFIX + groupKey(version);
  return local.startsWith("turn:") && Number(value["version"]) > version;
}

/** The groups that are in force in a take, newest first; with `before`, those that began before that version. */
export function* liveGroups(state: State, take: TakeId, before = Number.MAX_SAFE_INTEGER): IterableIterator<LiveGroup> {
  const since = Number(state.thread.get(threadId("take", take))?.["since"] ?? 0);
  const own = groupsIn(state.spaces.get(take)?.records, before, 0, false);
  const shared = groupsIn(state.thread, before, since, true);
  let [a, b] = [own.next(), shared.next()];
  while (!a.done || !b.done) {
    if (b.done || (!a.done && a.value.version > b.value.version)) {
      if (!a.done) yield a.value;
      a = own.next();
    } else {
      yield b.value;
      b = shared.next();
    }
  }
}

/** A group that began with an operation of that version, where it is in force in a take. */
export function liveGroup(state: State, take: TakeId, version: number): LiveGroup | undefined {
  for (const group of liveGroups(state, take, version + 1)) return group.version === version ? group : undefined;
  return undefined;
}

/** What undo --step would take back next in a take; undefined when there is nothing. */
export function lastUndoable(state: State, take: TakeId): LiveGroup | undefined {
  for (const group of liveGroups(state, take)) if (group.record.role !== "undo") return group;
  return undefined;
}

/** The undo that redo would take back next in a take; a step since has ended it. */
export function lastRedoable(state: State, take: TakeId): LiveGroup | undefined {
  for (const group of liveGroups(state, take)) return group.record.role === "undo" ? group : undefined;
  return undefined;
}

/** The role of the record that an operation begins; undefined for those that begin none. */
export function recordedRole(kind: Parameters<typeof roleOf>[0]): GroupRecord["role"] | undefined {
  const role: Role = roleOf(kind);
  return role === "note" || role === "redo" ? undefined : role;
}

function* groupsIn(
  records: State["thread"] | undefined,
  before: number,
  since: number,
  thread: boolean,
): IterableIterator<LiveGroup> {
  const end = before === Number.MAX_SAFE_INTEGER ? PREFIX_END : PREFIX + groupKey(before);
  for (const [id, record] of records?.descending(end) ?? []) {
    if (!id.startsWith(PREFIX)) return;
    const version = Number.parseInt(id.slice(PREFIX.length), 36);
    if (version < since) return;
    yield { record: record as unknown as GroupRecord, version, thread };
  }
}

/** Sorts right after every group. */
const PREFIX_END = "group;";
