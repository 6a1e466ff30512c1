import type { JsonObject } from "../values/json.ts";
import { DEFAULT_ROLES, type Entry, USER } from "./entry.ts";
import { type RecordTypes, recordAs, type Take, type Turn } from "./kinds.ts";
import { type RecordId, type SpaceKind, spaceId, type TakeId, type ThreadKind, threadId } from "./record.ts";
import { DEFAULT_SETTINGS, SETTING_FIELDS, type SettingField, type Settings } from "./setting.ts";
import { entryOf, orderIndex, recordOf, type State } from "./state.ts";

/** Reads a state: the meaning of its records. */

export type { Take, Turn } from "./kinds.ts";

/** A record of a take, as its kind declares it. */
export function inSpace<K extends SpaceKind>(
  state: State,
  take: TakeId,
  kind: K,
  key = "",
): RecordTypes[K] | undefined {
  return recordOf(state, spaceId(take, kind, key)) as RecordTypes[K] | undefined;
}

/** A record of the thread, as its kind declares it. */
export function inThread<K extends ThreadKind>(state: State, kind: K, key = ""): RecordTypes[K] | undefined {
  return recordOf(state, threadId(kind, key)) as RecordTypes[K] | undefined;
}

/** The record that says which take is active on a device. */
export function activeId({ device }: Pick<State, "device">): RecordId {
  return threadId("active", device);
}

/** The take that is active on the state's device; the first take when the device has never switched. */
export function activeTake(state: State): TakeId {
  const active = inThread(state, "active", state.device)?.take ?? inThread(state, "active")?.take;
  const take = active === undefined ? undefined : takeById(state, active);
  return (take && !take.deleted && state.spaces.has(take.id) ? take : liveTakes(state)[0])?.id ?? active ?? "";
}

export function takes(state: State): Take[] {
  const list: Take[] = [];
  for (const [id, record] of state.thread.entries("take:")) {
    if (!id.startsWith("take:")) break;
    list.push(recordAs("take", record));
  }
  return list.sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
}

export function liveTakes(state: State): Take[] {
  return takes(state).filter((take) => !take.deleted);
}

export function takeById(state: State, id: TakeId): Take | undefined {
  return inThread(state, "take", id);
}

/** The common name of a take and its siblings (D3). */
export function baseName(name: string): string {
  return name.split("_take_")[0] ?? name;
}

/** The entries in order; with `from`, starting at that entry. */
export function* entries(state: State, take: TakeId, from?: Entry): IterableIterator<Entry> {
  const space = state.spaces.get(take);
  if (!space) return;
  for (const [, id] of space.order.entries(from && orderIndex(from)))
    yield recordAs("entry", entryOf(space, id) as JsonObject);
}

/** The entries from the last one back; with `before`, starting right before that entry. */
export function* entriesBack(state: State, take: TakeId, before?: Entry): IterableIterator<Entry> {
  const space = state.spaces.get(take);
  if (!space) return;
  for (const [, id] of space.order.descending(before && orderIndex(before)))
    yield recordAs("entry", entryOf(space, id) as JsonObject);
}

export function entryById(state: State, take: TakeId, id: string): Entry | undefined {
  return inSpace(state, take, "entry", id);
}

export function entryAt(state: State, take: TakeId, index: number): Entry | undefined {
  const space = state.spaces.get(take);
  const id = space?.order.at(index)?.[1];
  return id === undefined ? undefined : entryById(state, take, id);
}

export function entryCount(state: State, take: TakeId): number {
  return state.spaces.get(take)?.order.size ?? 0;
}

export function setting<Field extends SettingField>(state: State, take: TakeId, field: Field): Settings[Field] {
  const record = inSpace(state, take, "setting", field);
  return (record ? record.value : DEFAULT_SETTINGS[field]) as Settings[Field];
}

export function settings(state: State, take: TakeId): Settings {
  return Object.fromEntries(SETTING_FIELDS.map((field) => [field, setting(state, take, field)])) as unknown as Settings;
}

/** Never empty: when no role is set, the user's role remains (D4). */
export function roles(state: State, take: TakeId): readonly string[] {
  const list = inSpace(state, take, "roles")?.list ?? DEFAULT_ROLES;
  return list.length === 0 ? [USER] : list;
}

export function turn(state: State, take: TakeId, id: string): Turn | undefined {
  return inSpace(state, take, "turn", id);
}

/** The turn that the agent is working on in a take. */
export function runningTurn(state: State, take: TakeId): string | undefined {
  return inSpace(state, take, "agent")?.turn_id;
}

/** The tree of a take's files; empty before the first capture. */
export function tree(state: State, take: TakeId): string {
  return inSpace(state, take, "workspace")?.tree ?? "";
}

/** The records of one kind in a take, by their keys; with `from`, starting at that key. */
export function* recordsOf(
  state: State,
  take: TakeId,
  kind: Exclude<SpaceKind, "entry">,
  from = "",
): IterableIterator<readonly [string, JsonObject]> {
  const prefix = `${kind}:`;
  for (const [local, record] of state.spaces.get(take)?.records.entries(prefix + from) ?? []) {
    if (!local.startsWith(prefix)) break;
    yield [local.slice(prefix.length), record];
  }
}

/** The same from the last record back; with `before`, starting right before that key. */
export function* recordsBack(
  state: State,
  take: TakeId,
  kind: Exclude<SpaceKind, "entry">,
  before?: string,
): IterableIterator<readonly [string, JsonObject]> {
  const prefix = `${kind}:`;
  const end = before === undefined ? `${kind};` : prefix + before;
  for (const [local, record] of state.spaces.get(take)?.records.descending(end) ?? []) {
    if (!local.startsWith(prefix)) break;
    yield [local.slice(prefix.length), record];
  }
}
