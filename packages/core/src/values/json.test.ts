import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { canonical, equal, type Json } from "./json.ts";

const json = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<Json>;

describe("json values", () => {
  test("the canonical text has the keys of each object in order, however many there are", () => {
    const keys = fc.uniqueArray(fc.string(), { maxLength: 40 });
    const textOf = (names: readonly string[]) => `{${names.map((name) => `${JSON.stringify(name)}:1`)}}`;
    const inOrder = (names: string[]) =>
      canonical(Object.fromEntries(names.map((name) => [name, 1]))) === textOf(names.toSorted());
    fc.assert(fc.property(keys, inOrder));
  });

  test("equal agrees with the canonical text", () => {
    fc.assert(fc.property(json, json, (a, b) => equal(a, b) === (canonical(a) === canonical(b))));
  });

  test("a value equals its copy, with its keys in any order", () => {
    fc.assert(fc.property(json, (a) => equal(a, JSON.parse(canonical(a)))));
  });

  test("an inherited key is not a member", () => {
    expect(equal({ toString: 1 }, { x: 1 })).toBe(false);
    expect(equal({ constructor: null } as unknown as Json, {})).toBe(false);
  });
});
