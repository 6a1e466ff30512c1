import { orderIndex, type Space, type State } from "../session/state.ts";
import { type Check, fields, list, maybe, object, text, whole } from "../values/check.ts";
import { HashMap } from "../values/hash-map.ts";
import type { JsonObject } from "../values/json.ts";
import { SortedMap } from "../values/sorted-map.ts";
import type { Format } from "./versioned.ts";

/**
 * How a state is stored, so that a thread opens without folding its log. Takes that were branched off each other share
 * most of their records: each value is written once, and the takes refer to it.
 */
export const checkpointFormat: Format<State> = {
  name: "retake-checkpoint",
  version: 1,
  upgrades: [],
  defaults: { device: "", typing: null },
  check: (value) => shape(value) ?? references(value as JsonObject),
  read: readState,
  write: writeState,
};

type Reference = readonly [id: string, value: number];
type TakeJson = {
  readonly take: string;
  readonly entries: readonly Reference[];
  readonly records: readonly Reference[];
};

function writeState(state: State): JsonObject {
  const values: JsonObject[] = [];
  const places = new Map<JsonObject, number>();
  const refer = (records: Iterable<readonly [string, JsonObject]>): Reference[] => {
    const references: Reference[] = [];
    for (const [id, value] of records) {
      let place = places.get(value);
      if (place === undefined) {
        place = values.push(value) - 1;
        places.set(value, place);
      }
      references.push([id, place]);
    }
    return references;
  };
  const thread = refer(state.thread.entries());
  const takes = [...state.spaces.entries()].map(([take, space]) => ({
    take,
    entries: refer(entriesOf(space)),
    records: refer(space.records.entries()),
  }));
  return {
    device: state.device,
    head: state.head,
    version: state.version,
    typing: state.typing as JsonObject | null,
    thread,
    takes,
    values,
  };
}

function readState(json: JsonObject): State {
  const values = json["values"] as readonly JsonObject[];
  const table = (references: readonly Reference[]) =>
    SortedMap.fromSorted(references.map(([id, place]) => [id, values[place] as JsonObject] as const));
  const takes = json["takes"] as unknown as readonly TakeJson[];
  return {
    device: json["device"] as string,
    head: json["head"] as string | null,
    version: json["version"] as number,
    typing: json["typing"] as State["typing"],
    thread: table(json["thread"] as unknown as readonly Reference[]),
    spaces: SortedMap.fromSorted(
      takes.map((each) => [each.take, { records: table(each.records), ...readEntries(each.entries, values) }] as const),
    ),
  };
}

function* entriesOf(space: Space): IterableIterator<readonly [string, JsonObject]> {
  for (const [, id] of space.order.entries()) yield [id, space.entries.get(id) as JsonObject];
}

function readEntries(
  references: readonly Reference[],
  values: readonly JsonObject[],
): Pick<Space, "entries" | "order"> {
  const found = references.map(([id, place]) => [id, values[place] as JsonObject] as const);
  const order = found.map(([id, entry]) => [orderIndex({ order: entry["order"] as string, id }), id] as const);
  return { entries: HashMap.from(found), order: SortedMap.fromSorted(order) };
}

const reference: Check = (value) =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && Number.isInteger(value[1])
    ? undefined
    : "is not a reference";

const shape = fields({
  device: text(128),
  head: (value) => (value === null ? undefined : text(128)(value)),
  version: whole(0),
  typing: (value) => (value === null ? undefined : maybe(object)(value)),
  thread: list(reference),
  takes: list(fields({ take: text(128), entries: list(reference), records: list(reference) })),
  values: list(object),
});

/**
 * Checks that ids ascend and entries are in order, so that the maps can be built in one pass, and that every value
 * referred to exists.
 */
function references(json: JsonObject): string | undefined {
  const values = json["values"] as readonly JsonObject[];
  const takes = json["takes"] as unknown as readonly TakeJson[];
  const ascending = [json["thread"] as unknown as readonly Reference[], ...takes.map((take) => take.records)];
  const entries = takes.map((take) => take.entries);
  for (const list of [...ascending, ...entries]) {
    const missing = list.find(([, place]) => !(place >= 0 && place < values.length));
    if (missing) return `refers to a value that is not there, for ${missing[0].slice(0, 80)}`;
  }
  for (const list of ascending) if (!isAscending(list.map(([id]) => id))) return "has records that are out of order";
  for (const list of entries) {
    const keys = list.map(([id, place]) => orderIndex({ order: String(values[place]?.["order"]), id }));
    if (!isAscending(keys) || new Set(list.map(([id]) => id)).size < list.length)
      return "has entries that are out of order";
  }
  return undefined;
}

function isAscending(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key);
}
