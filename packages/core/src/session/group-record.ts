import type { JsonObject } from "../values/json.ts";
import { type OperationId, type Role, roleOf } from "./operation.ts";
import { spaceId, type TakeId, threadId } from "./record.ts";

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

/** Begins the local id of every group's record. */
export const GROUP = "group:";
const DIGITS = 8;

/** Sorts as the versions do. */
export function groupKey(version: number): string {
  return version.toString(36).padStart(DIGITS, "0");
}

export function groupId(take: TakeId | undefined, version: number): string {
  return take === undefined ? threadId("group", groupKey(version)) : spaceId(take, "group", groupKey(version));
}

/** The keys of the groups that began after a version. */
export function groupsAfter(version: number): readonly [from: string, to: string] {
  return [GROUP + groupKey(version + 1), GROUP_END];
}

/** Sorts right after every group. */
export const GROUP_END = "group;";

/** The version that a record of a space began with, if it is of a group or a turn; undefined for all others. */
export function versionOf(local: string, value: JsonObject): number | undefined {
  if (local.startsWith(GROUP)) return groupVersion(local);
  return local.startsWith("turn:") ? Number(value["version"]) : undefined;
}

/** Whether a record of a space came with a group or a turn that began after a version: a branch leaves those out. */
export function isLater(local: string, value: JsonObject, version: number): boolean {
  return (versionOf(local, value) ?? 0) > version;
}

/** Of the local id of a group's record. */
export function groupVersion(local: string): number {
  return Number.parseInt(local.slice(GROUP.length), 36);
}

/** The role of the record that an operation begins; undefined for those that begin none. */
export function recordedRole(kind: Parameters<typeof roleOf>[0]): GroupRecord["role"] | undefined {
  const role: Role = roleOf(kind);
  return role === "note" || role === "redo" ? undefined : role;
}
