import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { HashMap, type Lookup } from "./hash-map.ts";

describe("HashMap", () => {
  const key = fc.oneof(fc.integer({ min: 0, max: 300 }).map(String), fc.string({ maxLength: 3 }));
  const step = fc.oneof(fc.record({ set: key, value: fc.nat() }), fc.record({ remove: key }));

  test("agrees with a plain map after any steps, and no earlier version changes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 1000, size: "max" }), (steps) => {
        const naive = new Map<string, number>();
        const versions: [Lookup<number>, Map<string, number>][] = [];
        let map: Lookup<number> = HashMap.empty();
        const keys = new Set<string>();
        for (const [index, each] of steps.entries()) {
          if (index % 100 === 0) versions.push([map, new Map(naive)]);
          if ("set" in each) {
            keys.add(each.set);
            map = map.with(each.set, each.value);
            naive.set(each.set, each.value);
          } else {
            map = map.without(each.remove);
            naive.delete(each.remove);
          }
        }
        versions.push([map, naive], [HashMap.from([...naive]), naive]);
        for (const [version, expected] of versions) {
          expect(version.size).toBe(expected.size);
          for (const name of keys) expect(version.get(name)).toBe(expected.get(name));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("distinguishes keys with equal hashes", () => {
    // Found by search: these two have the same hash.
    const [first, second] = collision();
    const map = HashMap.empty<number>().with(first, 1).with(second, 2);
    expect([map.get(first), map.get(second), map.size]).toEqual([1, 2, 2]);
    expect(map.without(first).get(second)).toBe(2);
    expect(map.without(second).get(first)).toBe(1);
    expect(map.with(first, 3).get(second)).toBe(2);
    expect(map.without(first).without(second).size).toBe(0);
    const built = HashMap.from([
      [first, 1],
      [second, 2],
    ] as const);
    expect([built.get(first), built.get(second), built.without(first).get(second)]).toEqual([1, 2, 2]);
  });
});

/** Two texts with the same FNV-1a hash, the hash of the map: both lead to one state of the hash. */
function collision(): [string, string] {
  const seen = new Map<number, string>();
  for (let number = 0; ; number += 1) {
    const text = number.toString(36);
    let hash = 0x811c9dc5;
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    const other = seen.get(hash);
    if (other !== undefined) return [other, text];
    seen.set(hash, text);
  }
}
