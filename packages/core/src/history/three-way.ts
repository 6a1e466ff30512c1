import {
  applyChange,
  applyField,
  type Change,
  type FieldChange,
  isAfter,
  type RecordValue,
  reverseChange,
  reverseField,
} from "../session/diff.ts";
import { equal, type Json } from "../values/json.ts";
import type { ConflictPolicy } from "./conflict.ts";

/**
 * The value of a record without some changes made to it (oldest first), and the fields that something else has changed
 * later. The values before and after are read from the changes themselves.
 */
export interface ThreeWayResult {
  readonly value: RecordValue;
  readonly clashes: readonly string[];
}

/**
 * `text`: the field in which the policy `merge` writes both versions; in any other it keeps the value. `whole` finds the
 * record as it was before the group; this may be slow.
 */
export function threeWay(
  list: readonly Change[],
  now: RecordValue,
  policy: ConflictPolicy,
  text: string | undefined,
  whole: () => RecordValue,
): ThreeWayResult {
  const known = valueAround(list);
  if (known) {
    const { before, after } = known;
    if (equal(now, after)) return { value: before, clashes: [] };
    if (equal(now, before)) return { value: now, clashes: [] };
    if (before === undefined || after === undefined || now === undefined)
      return now === undefined
        ? { value: now, clashes: before === undefined || after !== undefined ? [] : [""] }
        : { value: policy === "overwrite" ? before : now, clashes: [""] };
  }
  return now === undefined ? { value: now, clashes: [] } : mergeFields(list, now, policy, text, whole);
}

/**
 * The values of a record before and after, when the group created or removed it at some time; undefined when it only
 * changed fields.
 */
export function valueAround(list: readonly Change[]): { before: RecordValue; after: RecordValue } | undefined {
  const at = list.findIndex(({ kind }) => kind !== "update");
  const pivot = list[at];
  if (pivot === undefined) return undefined;
  const into = pivot.kind === "remove" ? pivot.before : undefined;
  const before = list
    .slice(0, at)
    .reduceRight<RecordValue>((value, change) => applyChange(value, reverseChange(change)), into);
  return { before, after: list.slice(at).reduce<RecordValue>(applyChange, into) };
}

function mergeFields(
  list: readonly Change[],
  now: Exclude<RecordValue, undefined>,
  policy: ConflictPolicy,
  text: string | undefined,
  whole: () => RecordValue,
): ThreeWayResult {
  const value: Record<string, Json> = { ...now };
  const clashes: string[] = [];
  for (const [field, changes] of fieldsOf(list)) {
    const result = fieldBefore(field, changes, now[field]);
    if (result.kind === "same") continue;
    let before = result.kind === "known" ? result.value : undefined;
    if (result.kind === "clash") {
      clashes.push(field);
      if (policy !== "overwrite" && (policy !== "merge" || field !== text)) continue;
      before = whole()?.[field];
      const current = now[field];
      if (policy === "merge") {
        if (typeof current !== "string" || typeof before !== "string") continue;
        before = withMarkers(current, before);
      }
    }
    if (before === undefined) delete value[field];
    else value[field] = before;
  }
  return { value, clashes };
}

/** The changes of each field whose value differs in the end, oldest first. */
export function fieldsOf(list: readonly Change[]): Map<string, FieldChange[]> {
  const fields = new Map<string, FieldChange[]>();
  for (const change of list)
    for (const [name, field] of change.kind === "update" ? Object.entries(change.fields) : [])
      fields.set(name, [...(fields.get(name) ?? []), field]);
  return fields;
}

type FieldBefore = { readonly kind: "same" | "clash" } | { readonly kind: "known"; readonly value: Json | undefined };

function fieldBefore(name: string, changes: readonly FieldChange[], now: Json | undefined): FieldBefore {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last || isAfter(now, reverseField(first))) return { kind: "same" };
  if (!isAfter(now, last)) return { kind: "clash" };
  let value = now;
  for (const change of changes.toReversed()) value = applyField("", name, value, reverseField(change));
  return { kind: "known", value };
}

function withMarkers(now: string, before: string): string {
  return `<<<<<<< now\n${now}\n=======\n${before}\n>>>>>>> before\n`;
}
