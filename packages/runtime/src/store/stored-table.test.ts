import { type JsonObject, SortedMap, type Table } from "@retake/core";
import type { Database } from "@retake/workspace";
import { afterEach, beforeEach, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { openDatabase } from "./open-database.ts";
import { SpaceRows } from "./space-rows.ts";

let database: Database;
beforeEach(() => {
  database = openDatabase(":memory:");
});
afterEach(() => database.close());

/** Ids that JavaScript and SQLite sort alike, and such that they do not: U+FF5E is above a surrogate, and below U+1F600. */
const id = fc.oneof(
  { weight: 8, arbitrary: fc.nat(300).map((number) => `turn:${number}`) },
  { weight: 2, arbitrary: fc.constantFrom("agent", "roles", "workspace", "group:00000001", "group:0000000z") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("file:a", "file:\uff5e", "file:\u{1f600}", "file:\u{1f600}z", "file:\uffee"),
  },
);

/** Every way to make another table of one. */
const change = fc.oneof(
  id.map((key) => (table: Table<JsonObject>) => table.with(key, { changed: key })),
  id.map((key) => (table: Table<JsonObject>) => table.without(key)),
  fc.tuple(id, fc.option(id, { nil: undefined })).map(
    ([from, to]) =>
      (table: Table<JsonObject>) =>
        table.withoutRange(from, to),
  ),
  fc
    .nat(9)
    .map(
      (digit) => (table: Table<JsonObject>) => table.where((key, value) => !key.endsWith(`${digit}`) || "x" in value),
    ),
);

test("[F51] the records of a space equal those of a table in memory, after any changes", () => {
  const spaces = new SpaceRows(database);
  const ids = fc.uniqueArray(id, { maxLength: 300, size: "max" });
  fc.assert(
    fc.property(ids, fc.array(change, { maxLength: 20 }), fc.array(id), (ids, changes, keys) => {
      const space = spaces.open(spaces.create("T"));
      spaces.put(
        space,
        ids.map((id) => [id, { id }]),
      );
      let expected: Table<JsonObject> = SortedMap.fromSorted(
        ids.toSorted((a, b) => (a < b ? -1 : 1)).map((each) => [each, { id: each }] as const),
      );
      let stored: Table<JsonObject> = spaces.space(space).records;
      for (const make of [(table: Table<JsonObject>) => table, ...changes]) {
        [expected, stored] = [make(expected), make(stored)];
        expect(stored.size).toBe(expected.size);
        for (const key of [undefined, ...keys.slice(0, 3)]) {
          expect([...stored.entries(key)]).toEqual([...expected.entries(key)]);
          expect([...stored.descending(key)]).toEqual([...expected.descending(key)]);
          if (key === undefined) continue;
          expect([stored.get(key), stored.rank(key)]).toEqual([expected.get(key), expected.rank(key)]);
          const index = expected.rank(key);
          expect(stored.at(index)).toEqual(expected.at(index));
        }
      }
    }),
    { numRuns: 40 },
  );
});

test("[F51] the entries of a space can be walked in order from any of them, in both directions", () => {
  const spaces = new SpaceRows(database);
  const space = spaces.open(spaces.create("T"));
  const places = Array.from({ length: 3000 }, (_, index) => String(index * 7).padStart(6, "0"));
  spaces.put(
    space,
    places.map((order) => [`entry:e${order}`, { id: `e${order}`, order, content: order }]),
  );
  const { order, entries } = spaces.space(space);
  const keys = places.map((place) => [`${place} e${place}`, `e${place}`]);
  expect([...order.entries()]).toEqual(keys);
  expect([...order.descending()]).toEqual(keys.toReversed());
  for (const index of [0, 1, 31, 32, 33, 1500, 2999]) {
    const key = keys[index]?.[0];
    expect([...order.entries(key)]).toEqual(keys.slice(index));
    expect([...order.descending(key)]).toEqual(keys.slice(0, index).toReversed());
  }
  let read = 0;
  for (const [, each] of order.descending()) {
    expect(entries.get(each)).toMatchObject({ id: each });
    if (++read === 400) break;
  }
});
