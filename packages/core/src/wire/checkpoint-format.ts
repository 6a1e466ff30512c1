import { orderIndex, type Space, type State } from "../session/state.ts";
import { type Check, fields, list, maybe, object, text, whole } from "../values/check.ts";
import { isObject, type JsonObject } from "../values/json.ts";
import { SortedMap, type Table } from "../values/sorted-map.ts";
import type { Format } from "./versioned.ts";

/**
 * How a state is stored, so that a thread opens without folding its log. Takes that were branched
 * off each other share most of their records: each value is written once, and the takes refer to it.
 */
export const checkpointFormat: Format<State> = {
  name: "retake-checkpoint",
  version: 1,
  upgrades: [],
  defaults: { typing: null },
  check: (value) => shape(value) ?? references(value as JsonObject),
  read: readState,
  write: writeState,
};

type Reference = readonly [id: string, value: number];

function writeState(state: State): JsonObject {
  const values: JsonObject[] = [];
  const places = new Map<JsonObject, number>();
  const refer = (table: Table<JsonObject>): Reference[] => {
    const references: Reference[] = [];
    for (const [id, value] of table.entries()) {
      let place = places.get(value);
      if (place === undefined) {
        place = values.push(value) - 1;
        places.set(value, place);
      }
      references.push([id, place]);
    }
    return references;
  };
  const thread = refer(state.thread);
  const takes = [...state.spaces.entries()].map(([take, space]) => ({ take, records: refer(space.records) }));
  return { head: state.head, version: state.version, typing: state.typing as JsonObject | null, thread, takes, values };
}

function readState(json: JsonObject): State {
  const values = json["values"] as readonly JsonObject[];
  const table = (references: readonly Reference[]) =>
    SortedMap.fromSorted(references.map(([id, place]) => [id, values[place] as JsonObject] as const));
  const takes = json["takes"] as unknown as readonly { take: string; records: readonly Reference[] }[];
  return {
    head: json["head"] as string | null,
    version: json["version"] as number,
    typing: json["typing"] as State["typing"],
    thread: table(json["thread"] as unknown as readonly Reference[]),
    spaces: SortedMap.fromSorted(takes.map(({ take, records }) => [take, readSpace(table(records))] as const)),
  };
}

function readSpace(records: Table<JsonObject>): Space {
  const order: [string, string][] = [];
  for (const [local, record] of records.entries("entry:")) {
    if (!local.startsWith("entry:")) break;
    const id = local.slice("entry:".length);
    order.push([orderIndex({ order: record["order"] as string, id }), id]);
  }
  order.sort(([a], [b]) => (a < b ? -1 : 1));
  return { records, order: SortedMap.fromSorted(order) };
}

const reference: Check = (value) =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && Number.isInteger(value[1])
    ? undefined
    : "is not a reference";

const shape = fields({
  head: (value) => (value === null ? undefined : text(128)(value)),
  version: whole(0),
  typing: (value) => (value === null ? undefined : maybe(object)(value)),
  thread: list(reference),
  takes: list(fields({ take: text(128), records: list(reference) })),
  values: list(object),
});

/** Ids ascend, so that the maps can be built in one pass, and every value that is referred to is there. */
function references(json: JsonObject): string | undefined {
  const values = (json["values"] as readonly JsonObject[]).length;
  const lists = [json["thread"], ...(json["takes"] as unknown as { records: unknown }[]).map((take) => take.records)];
  for (const each of lists as (readonly Reference[])[]) {
    let last = "";
    for (const [id, place] of each) {
      if (id <= last) return "has records that are out of order";
      if (place < 0 || place >= values) return `refers to a value that is not there, for ${id}`;
      last = id;
    }
  }
  return isObject(json) ? undefined : "is not an object";
}
