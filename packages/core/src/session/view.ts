import { equal, type Json, type JsonObject } from "../values/json.ts";
import type { RecordValue } from "./diff.ts";
import { DEFAULT_ROLES, type Entry, USER } from "./entry.ts";
import type { TurnReceipt } from "./receipt.ts";
import { ACTIVE, type SpaceKind, spaceId, type TakeId, threadId } from "./record.ts";
import { DEFAULT_SETTINGS, isSettingField, SETTING_FIELDS, type SettingField, type Settings } from "./setting.ts";
import { orderIndex, recordOf, type Space, type State } from "./state.ts";

/** Reading a state: what its records mean. */

export interface Take {
  readonly id: TakeId;
  readonly name: string;
  readonly deleted: boolean;
}

export interface Turn {
  readonly id: string;
  readonly prompt: string;
  /** `cut-off`: the model's limit of tokens; `refused`: it declined; `step-limit`: the turn's steps were used up. */
  readonly status: "running" | "finished" | "cut-off" | "refused" | "step-limit" | "interrupted" | "failed";
  readonly started_at: string;
  readonly ended_at?: string;
  readonly model?: string;
  /** The workspace's tree when it began and when it ended. */
  readonly tree_before?: string;
  readonly tree_after?: string;
  /** What it did besides the conversation; not there while it runs. */
  readonly receipt?: TurnReceipt & JsonObject;
  readonly [key: string]: Json | undefined;
}

export function activeTake(state: State): TakeId {
  return recordOf(state, ACTIVE)?.["take"] as TakeId;
}

export function takes(state: State): Take[] {
  const list: Take[] = [];
  for (const [id, record] of state.thread.entries("take:")) {
    if (!id.startsWith("take:")) break;
    list.push(record as unknown as Take);
  }
  return list;
}

export function liveTakes(state: State): Take[] {
  return takes(state).filter((take) => !take.deleted);
}

export function takeById(state: State, id: TakeId): Take | undefined {
  return recordOf(state, threadId("take", id)) as unknown as Take | undefined;
}

/** The name that a take and its siblings are grouped under (D3). */
export function baseName(name: string): string {
  return name.split("_take_")[0] ?? name;
}

/** In order; with `from`, beginning at that entry. */
export function* entries(state: State, take: TakeId, from?: Entry): IterableIterator<Entry> {
  const space = state.spaces.get(take);
  if (!space) return;
  for (const [, id] of space.order.entries(from && orderIndex(from))) yield entryIn(space, id);
}

/** From the last entry back; with `before`, from the one right before that. */
export function* entriesBack(state: State, take: TakeId, before?: Entry): IterableIterator<Entry> {
  const space = state.spaces.get(take);
  if (!space) return;
  for (const [, id] of space.order.descending(before && orderIndex(before))) yield entryIn(space, id);
}

export function entryById(state: State, take: TakeId, id: string): Entry | undefined {
  return state.spaces.get(take)?.entries.get(id) as unknown as Entry | undefined;
}

export function entryAt(state: State, take: TakeId, index: number): Entry | undefined {
  const space = state.spaces.get(take);
  const id = space?.order.at(index)?.[1];
  return space && id !== undefined ? entryIn(space, id) : undefined;
}

export function entryCount(state: State, take: TakeId): number {
  return state.spaces.get(take)?.order.size ?? 0;
}

export function setting<Field extends SettingField>(state: State, take: TakeId, field: Field): Settings[Field] {
  const record = recordOf(state, spaceId(take, "setting", field));
  return (record ? record["value"] : DEFAULT_SETTINGS[field]) as Settings[Field];
}

export function settings(state: State, take: TakeId): Settings {
  return Object.fromEntries(SETTING_FIELDS.map((field) => [field, setting(state, take, field)])) as unknown as Settings;
}

/** Never empty: without any role there is still the user (D4). */
export function roles(state: State, take: TakeId): readonly string[] {
  const record = recordOf(state, spaceId(take, "roles"));
  const list = (record?.["list"] ?? DEFAULT_ROLES) as readonly string[];
  return list.length === 0 ? [USER] : list;
}

export function turn(state: State, take: TakeId, id: string): Turn | undefined {
  return recordOf(state, spaceId(take, "turn", id)) as unknown as Turn | undefined;
}

/** The turn that the agent is working on in a take. */
export function runningTurn(state: State, take: TakeId): string | undefined {
  const running = recordOf(state, spaceId(take, "agent"))?.["turn_id"];
  return typeof running === "string" ? running : undefined;
}

/** The tree of the files that a take stands at; empty before the first capture. */
export function tree(state: State, take: TakeId): string {
  return (recordOf(state, spaceId(take, "workspace"))?.["tree"] ?? "") as string;
}

/** The records of one kind in a take, by their keys; with `from`, beginning at that key. */
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

function entryIn(space: Space, id: string): Entry {
  return space.entries.get(id) as unknown as Entry;
}

/** R4: whether a setting or the roles, by their local id, read as if they had never been set. */
export function readsAsDefault(local: string, record: RecordValue): boolean {
  if (local === "roles") return record === undefined || equal(record["list"], DEFAULT_ROLES);
  const field = local.slice("setting:".length);
  if (!local.startsWith("setting:") || !isSettingField(field)) return false;
  return record === undefined || equal(record["value"], DEFAULT_SETTINGS[field] as Json);
}
