import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { SortedMap, type Table } from "./sorted-map.ts";

const key = fc.integer({ min: 0, max: 400 }).map((number) => `k${number.toString().padStart(4, "0")}`);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ set: key, value: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ remove: key }) },
);

describe("SortedMap", () => {
  test("agrees with a plain map after any steps, and no earlier version changes", () => {
    fc.assert(
      fc.property(fc.array(key), fc.array(step, { maxLength: 1500, size: "max" }), (start, steps) => {
        const naive = new Map<string, number>(start.map((each) => [each, 0]));
        let map: Table<number> = SortedMap.fromSorted([...naive].sort(([a], [b]) => (a < b ? -1 : 1)));
        const first = map;
        const firstPairs = [...map.entries()];
        for (const each of steps) {
          if ("set" in each) {
            map = map.with(each.set, each.value);
            naive.set(each.set, each.value);
          } else {
            map = map.without(each.remove);
            naive.delete(each.remove);
          }
        }
        const expected = [...naive].sort(([a], [b]) => (a < b ? -1 : 1));
        expect([...map.entries()]).toEqual(expected);
        expect([...map.descending()]).toEqual(expected.toReversed());
        expect(map.size).toBe(naive.size);
        expected.forEach(([name, value], index) => {
          expect(map.get(name)).toBe(value);
          expect(map.at(index)).toEqual([name, value]);
          expect(map.rank(name)).toBe(index);
          expect(map.entries(name).next().value).toEqual([name, value]);
          expect(map.entries(`${name}+`).next().value).toEqual(expected[index + 1]);
          expect(map.descending(name).next().value).toEqual(expected[index - 1]);
          expect(map.descending(`${name}+`).next().value).toEqual([name, value]);
        });
        expect(map.at(naive.size)).toBeUndefined();
        expect(map.at(-1)).toBeUndefined();
        expect(map.get("absent")).toBeUndefined();
        expect(map.rank("zzz")).toBe(naive.size);
        expect([...first.entries()]).toEqual(firstPairs);
      }),
      { numRuns: 60 },
    );
  });

  test("removing a missing key returns the same map", () => {
    const map = SortedMap.fromSorted([["a", 1]]);
    expect(map.without("b")).toBe(map);
  });

  test("a map emptied key by key is empty, and can be filled again", () => {
    let map: Table<number> = SortedMap.empty<number>();
    for (let index = 0; index < 2000; index += 1) map = map.with(`k${index}`, index);
    for (let index = 0; index < 2000; index += 1) map = map.without(`k${index}`);
    expect([...map.entries()]).toEqual([]);
    expect(map.with("x", 1).get("x")).toBe(1);
  });
});
