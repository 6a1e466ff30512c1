import { type JsonObject, SortedMap, type Table } from "@retake/core";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "./open-database.ts";
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
const changes = fc.array(fc.record({ id, gone: fc.boolean() }), { maxLength: 40 });

test("the records of a space are walked in order from any key, both ways, changed or not", () => {
  const spaces = new SpaceRows(database);
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 300, size: "max" }), changes, fc.array(id), (ids, changed, keys) => {
      const space = spaces.create("T");
      for (const each of ids) spaces.put(space, each, { id: each });
      let expected: Table<JsonObject> = SortedMap.fromSorted(
        ids.toSorted((a, b) => (a < b ? -1 : 1)).map((each) => [each, { id: each }] as const),
      );
      let stored: Table<JsonObject> = spaces.space(space).records;
      for (const { id: each, gone } of [{ id: "", gone: true }, ...changed]) {
        expected = gone ? expected.without(each) : expected.with(each, { changed: each });
        stored = gone ? stored.without(each) : stored.with(each, { changed: each });
        for (const key of [undefined, ...keys.slice(0, 3)]) {
          expect([...stored.entries(key)]).toEqual([...expected.entries(key)]);
          expect([...stored.descending(key)]).toEqual([...expected.descending(key)]);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test("the entries of a space are walked in order from any of them, both ways", () => {
  const spaces = new SpaceRows(database);
  const space = spaces.create("T");
  const places = Array.from({ length: 3000 }, (_, index) => String(index * 7).padStart(6, "0"));
  for (const order of places) spaces.put(space, `entry:e${order}`, { id: `e${order}`, order, content: order });
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
