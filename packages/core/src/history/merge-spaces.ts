import { KINDS } from "../session/kinds.ts";
import { kindOf } from "../session/record.ts";
import { entryOf, type Space } from "../session/state.ts";
import { equal, type JsonObject } from "../values/json.ts";

/** Whether two spaces are equal on every machine: records that are local to one machine do not count. */
export function sameSpace(one: Space | undefined, other: Space | undefined): boolean {
  return compare(one, other, (local) => KINDS[kindOf(local)].place === "synced");
}

/** Whether two spaces have the same content: the records of groups (what can be undone) do not count either. */
export function sameContent(one: Space | undefined, other: Space | undefined): boolean {
  return compare(one, other, (local) => KINDS[kindOf(local)].place === "synced" && kindOf(local) !== "group");
}

type Counts = (local: string) => boolean;

function compare(one: Space | undefined, other: Space | undefined, counts: Counts): boolean {
  if (one === other) return true;
  if (!one || !other) return false;
  return sameRecords(one, other, counts) && sameEntries(one, other);
}

function sameEntries(one: Space, other: Space): boolean {
  const shared = one.entries === other.entries;
  if (shared && one.order === other.order) return true;
  if (one.order.size !== other.order.size) return false;
  const others = other.order.entries();
  for (const [key, id] of one.order.entries()) {
    if (key !== others.next().value?.[0]) return false;
    if (!shared && !equal(entryOf(one, id), entryOf(other, id))) return false;
  }
  return true;
}

function sameRecords(one: Space, other: Space, counts: Counts): boolean {
  if (one.records === other.records) return true;
  const others = filterRecords(other, counts);
  for (const [local, record] of filterRecords(one, counts)) {
    const next = others.next();
    if (next.done || next.value[0] !== local || !equal(record, next.value[1])) return false;
  }
  return others.next().done === true;
}

function* filterRecords(space: Space, counts: Counts): Generator<readonly [string, JsonObject], undefined> {
  for (const pair of space.records.entries()) if (counts(pair[0])) yield pair;
  return undefined;
}
