import { GROUP, GROUP_END, type GroupRecord, groupKey, groupVersion } from "./group-record.ts";
import { recordAs } from "./kinds.ts";
import { type TakeId, threadId } from "./record.ts";
import type { State } from "./state.ts";

/** A group in force, and the place of its record. */
export interface LiveGroup {
  readonly record: GroupRecord;
  /** The version of its first operation. */
  readonly version: number;
  /** Whether it belongs to the thread as a whole. */
  readonly thread: boolean;
}

/**
 * The groups in force in a take, newest first; with `before`, those older than that one. After a merge of two machines'
 * lines, a group of the take and one of the thread may have the same version.
 */
export function* liveGroups(state: State, take: TakeId, before?: LiveGroup): IterableIterator<LiveGroup> {
  const since = Number(state.thread.get(threadId("take", take))?.["since"] ?? 0);
  const limit = before?.version ?? Number.MAX_SAFE_INTEGER - 1;
  const own = groupsIn(state.spaces.get(take)?.records, limit, 0, false);
  const shared = groupsIn(state.thread, before && !before.thread ? limit + 1 : limit, since, true);
  let [a, b] = [own.next(), shared.next()];
  while (!a.done || !b.done) {
    if (b.done || (!a.done && a.value.version >= b.value.version)) {
      if (!a.done) yield a.value;
      a = own.next();
    } else {
      yield b.value;
      b = shared.next();
    }
  }
}

/** The groups in force of this version and older, newest first. */
export function liveGroupsFrom(state: State, take: TakeId, version: number): IterableIterator<LiveGroup> {
  return liveGroups(state, take, { version: version + 1, thread: true, record: { id: "", role: "step" } });
}

/** The group that began with an operation; undefined when it is not in force in the take. */
export function liveGroup(
  state: State,
  take: TakeId,
  { id, version }: { readonly id: string; readonly version: number },
): LiveGroup | undefined {
  for (const group of liveGroupsFrom(state, take, version)) {
    if (group.version < version) return undefined;
    if (group.record.id === id) return group;
  }
  return undefined;
}

/** The group that `undo --step` would take back next in a take; undefined when there is none. */
export function lastUndoable(state: State, take: TakeId): LiveGroup | undefined {
  for (const group of liveGroups(state, take)) if (group.record.role !== "undo") return group;
  return undefined;
}

/**
 * The undo that redo would take back next in a take; undefined when there is none or when a later step ended the redo.
 */
export function lastRedoable(state: State, take: TakeId): LiveGroup | undefined {
  for (const group of liveGroups(state, take)) return group.record.role === "undo" ? group : undefined;
  return undefined;
}

function* groupsIn(
  records: State["thread"] | undefined,
  before: number,
  since: number,
  thread: boolean,
): IterableIterator<LiveGroup> {
  const end = before >= Number.MAX_SAFE_INTEGER - 1 ? GROUP_END : GROUP + groupKey(before);
  for (const [id, record] of records?.descending(end) ?? []) {
    if (!id.startsWith(GROUP)) return;
    const version = groupVersion(id);
    if (version < since) return;
    yield { record: recordAs("group", record), version, thread };
  }
}
