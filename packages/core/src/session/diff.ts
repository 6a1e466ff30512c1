import { equal, type Json, type JsonObject } from "../values/json.ts";
import { textSum } from "../values/text-sum.ts";
import type { RecordId, TakeId } from "./record.ts";

/**
 * The changes of an operation: a diff of records that can be applied and reversed.
 *
 * A change holds both sides, so it can be reversed without further data. Its size is that of the change and not of the
 * record: an update names the changed fields, and a change of a text holds only the characters that differ. So
 * streaming an answer or typing in a long entry does not store the text again and again.
 *
 * A branch copies a take's space. Its diff does not list the records; `spaces` names the operation after which the
 * space is copied. The state after an operation never changes.
 */
export interface Diff {
  readonly changes: readonly Change[];
  readonly spaces?: readonly SpaceChange[];
}

export type Change =
  | { readonly kind: "create"; readonly id: RecordId; readonly after: JsonObject }
  | { readonly kind: "update"; readonly id: RecordId; readonly fields: { readonly [name: string]: FieldChange } }
  | { readonly kind: "remove"; readonly id: RecordId; readonly before: JsonObject };

/**
 * A missing side means that the record did not have the field. A splice holds checksums of both whole texts, so that a
 * reader can check whether a text is the result of the change without the rest of the log.
 */
export type FieldChange = { readonly before?: Json; readonly after?: Json } | Splice;

export interface Splice {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly sums: readonly [before: number, after: number];
}

/** A take's space is created (`before` is null), removed (`after` is null) or replaced. */
export interface SpaceChange {
  readonly take: TakeId;
  readonly before: SpaceSource | null;
  readonly after: SpaceSource | null;
}

/**
 * The space of `take` as it was after `operation`. With `upto`, without the entries ordered after that key. With
 * `until`, without the groups that began after that version.
 */
export interface PastSpace {
  readonly operation: string;
  readonly take: TakeId;
  readonly upto?: string;
  readonly until?: number;
}

/** The origin of a space. Only a thread's first take begins empty. */
export type SpaceSource = PastSpace | "empty";

export type RecordValue = JsonObject | undefined;

/** The change from one value of a record to another; undefined when they are equal. */
export function changeBetween(id: RecordId, before: RecordValue, after: RecordValue): Change | undefined {
  if (before === after) return undefined;
  if (before === undefined) return after === undefined ? undefined : { kind: "create", id, after };
  if (after === undefined) return { kind: "remove", id, before };
  const fields: Record<string, FieldChange> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const change = fieldBetween(before[name], after[name]);
    if (change) fields[name] = change;
  }
  return Object.keys(fields).length === 0 ? undefined : { kind: "update", id, fields };
}

export function reverseChange(change: Change): Change {
  switch (change.kind) {
    case "create":
      return { kind: "remove", id: change.id, before: change.after };
    case "remove":
      return { kind: "create", id: change.id, after: change.before };
    case "update": {
      const fields: Record<string, FieldChange> = {};
      for (const [name, field] of Object.entries(change.fields)) fields[name] = reverseField(field);
      return { kind: "update", id: change.id, fields };
    }
  }
}

/** The value of a record after a change. Throws when the change does not fit the value: the log is broken. */
export function applyChange(value: RecordValue, change: Change): RecordValue {
  switch (change.kind) {
    case "create":
      if (value !== undefined) throw new Error(`${change.id} is created but exists`);
      return change.after;
    case "remove":
      if (value === undefined) throw new Error(`${change.id} is removed but does not exist`);
      return undefined;
    case "update": {
      if (value === undefined) throw new Error(`${change.id} is changed but does not exist`);
      const after: Record<string, Json> = { ...value };
      for (const [name, field] of Object.entries(change.fields)) {
        const next = applyField(change.id, name, value[name], field);
        if (next === undefined) delete after[name];
        else after[name] = next;
      }
      return after;
    }
  }
}

/** Texts that share more characters than this are stored as a splice. */
const WORTH_SPLICING = 64;

function fieldBetween(before: Json | undefined, after: Json | undefined): FieldChange | undefined {
  if (equal(before, after)) return undefined;
  if (typeof before === "string" && typeof after === "string") {
    const least = Math.min(before.length, after.length);
    let start = 0;
    while (start < least && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
    let end = 0;
    while (
      end < least - start &&
      before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
    )
      end += 1;
    // Never cut a surrogate pair: stored text must be valid Unicode.
    if (start > 0 && isHigh(before.charCodeAt(start - 1))) start -= 1;
    if (end > 0 && isLow(before.charCodeAt(before.length - end))) end -= 1;
    if (start + end > WORTH_SPLICING) {
      return {
        at: start,
        removed: before.slice(start, before.length - end),
        inserted: after.slice(start, after.length - end),
        sums: [textSum(before), textSum(after)],
      };
    }
  }
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

export function reverseField(field: FieldChange): FieldChange {
  if ("at" in field) {
    const [before, after] = field.sums;
    return { at: field.at, removed: field.inserted, inserted: field.removed, sums: [after, before] };
  }
  return {
    ...(field.after === undefined ? {} : { before: field.after }),
    ...(field.before === undefined ? {} : { after: field.before }),
  };
}

/** Whether a field holds the value that a change gave it. */
export function isAfter(value: Json | undefined, field: FieldChange): boolean {
  if ("at" in field) return typeof value === "string" && textSum(value) === field.sums[1];
  return equal(value, field.after);
}

export function applyField(id: RecordId, name: string, value: Json | undefined, field: FieldChange): Json | undefined {
  if ("at" in field) {
    if (typeof value !== "string" || value.slice(field.at, field.at + field.removed.length) !== field.removed) {
      throw new Error(`${id}.${name} does not hold the text that the change takes out of it`);
    }
    return value.slice(0, field.at) + field.inserted + value.slice(field.at + field.removed.length);
  }
  if (!equal(value, field.before)) throw new Error(`${id}.${name} is not what the change found`);
  return field.after;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
