import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { appendKey, keysBetween, needsRoom } from "./order-key.ts";

/** Inserts one key at each position in turn and returns the length of the longest. */
function insertAll(positions: Iterable<number>): { keys: string[]; longest: number } {
  const keys: string[] = [];
  let version = 0;
  let longest = 0;
  for (const position of positions) {
    version += 1;
    const at = Math.min(position, keys.length);
    const [key] = keysBetween(keys[at - 1], keys[at], version, 1);
    if (key === undefined) throw new Error("no key");
    keys.splice(at, 0, key);
    longest = Math.max(longest, key.length);
  }
  return { keys, longest };
}

function expectAscending(keys: readonly string[]): void {
  for (let index = 1; index < keys.length; index += 1) {
    expect((keys[index - 1] as string) < (keys[index] as string)).toBe(true);
  }
}

describe("order keys", () => {
  test("[E3] a key for a place sorts at that place, for any sequence of inserts", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 300 }), { maxLength: 300, size: "max" }), (positions) => {
        expectAscending(insertAll(positions).keys);
      }),
    );
  });

  test("[E3] several keys for one gap are in order and inside it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 60 }), { maxLength: 60 }),
        fc.nat(),
        fc.integer({ min: 1, max: 200 }),
        (positions, at, count) => {
          const { keys } = insertAll(positions);
          const place = at % (keys.length + 1);
          const more = keysBetween(keys[place - 1], keys[place], positions.length + 1, count);
          expectAscending([...keys.slice(0, place), ...more, ...keys.slice(place)]);
        },
      ),
    );
  });

  test("[E4] never makes a key twice, not even for a place whose entry was undone", () => {
    const [left, right] = [appendKey(1), appendKey(2)];
    expect(keysBetween(left, right, 3, 1)).not.toEqual(keysBetween(left, right, 4, 1));
  });

  test("[E4] a key appended later sorts after all earlier keys", () => {
    const { keys } = insertAll([0, 0, 1, 1, 3, 2, 0]);
    const key = appendKey(8);
    expect(keys.every((each) => each < key)).toBe(true);
  });

  test("[E5] 20,000 inserts at the front, at the end, before or after one entry keep keys short", () => {
    const many = 20_000;
    const patterns: Record<string, Iterable<number>> = {
      front: Array.from({ length: many }, () => 0),
      end: Array.from({ length: many }, (_, index) => index),
      "before the last": Array.from({ length: many }, (_, index) => Math.max(0, index - 1)),
      "after the first": Array.from({ length: many }, () => 1),
    };
    for (const [name, positions] of Object.entries(patterns)) {
      const { longest } = insertAll(positions);
      expect(longest, name).toBeLessThanOrEqual(24);
    }
  });

  test("[E5] ever narrower gaps make long keys, and needsRoom reports it", () => {
    let left = appendKey(1);
    let right = appendKey(2);
    let version = 2;
    let inserts = 0;
    for (let key = left; !needsRoom(key); inserts += 1) {
      version += 1;
      key = keysBetween(left, right, version, 1)[0] as string;
      if (version % 2 === 0) left = key;
      else right = key;
    }
    expect(inserts).toBeGreaterThan(30);
  });

  test("keys sort the same as bytes and as JavaScript strings", () => {
    const numbers = [-300_000, -3845, -3844, -63, -62, -1, 0, 1, 61, 62, 3843, 3844, 238_328, 2 ** 40];
    const keys = numbers.map((number) => appendKey(number));
    expectAscending(keys);
    expect([...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(keys);
  });
});
