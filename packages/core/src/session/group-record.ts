import type { JsonObject } from "../values/json.ts";
import { type OperationId, type Role, roleOf } from "./operation.ts";
import { spaceId, type TakeId, threadId } from "./record.ts";

/**
 * The state contains the groups that can be undone. Each group of operations has a record while it is in force: its
 * first operation creates the record, an undo of the group removes it, a redo puts it back. So "can undo" is a look-up,
 * and no code reads the log to learn what is undone. An undo has a record too: the newest one is what redo takes back
 * next, and redo removes it.
 *
 * The record of a group of one take lies in that take's space, so a branch copies it with the rest. The record of a
 * group of the whole thread lies beside the takes; the group is in the history of every take that existed when it was
 * made.
 */
export interface GroupRecord {
  /** The id of the group's first operation. */
  readonly id: OperationId;
  readonly role: "step" | "whole" | "turn" | "undo";
  readonly turn_id?: string;
  /** The half that can still be taken back, when the other half was. */
  readonly left?: "conversation" | "files";
  /** In a branch made inside a turn: the last version of the turn that the branch holds. */
  readonly until?: number;
}

/** Prefix of the local id of every group's record. */
export const GROUP = "group:";
const DIGITS = 8;

/** Keys sort in the order of versions. */
export function groupKey(version: number): string {
  return version.toString(36).padStart(DIGITS, "0");
}

/** Of another key the version would not be known, or sort elsewhere. */
export function isGroupKey(key: string): boolean {
  return /^[0-9a-z]{8}$/.test(key);
}

export function groupId(take: TakeId | undefined, version: number): string {
  return take === undefined ? threadId("group", groupKey(version)) : spaceId(take, "group", groupKey(version));
}

/** The keys of the groups that began after a version. */
export function groupsAfter(version: number): readonly [from: string, to: string] {
  return [GROUP + groupKey(version + 1), GROUP_END];
}

/** Sorts right after every group's key. */
export const GROUP_END = "group;";

/** The version with which a record of a space began, when it is a group's or a turn's; undefined for other records. */
export function versionOf(local: string, value: JsonObject): number | undefined {
  if (local.startsWith(GROUP)) return groupVersion(local);
  return local.startsWith("turn:") ? Number(value["version"]) : undefined;
}

/** Whether a record of a space belongs to a group or a turn that began after a version: a branch leaves those out. */
export function isLater(local: string, value: JsonObject, version: number): boolean {
  return (versionOf(local, value) ?? 0) > version;
}

/** The version in the local id of a group's record. */
export function groupVersion(local: string): number {
  return Number.parseInt(local.slice(GROUP.length), 36);
}

/** The role of the group record that an operation of this kind creates; undefined for kinds that create none. */
export function recordedRole(kind: Parameters<typeof roleOf>[0]): GroupRecord["role"] | undefined {
  const role: Role = roleOf(kind);
  return role === "note" || role === "redo" ? undefined : role;
}
