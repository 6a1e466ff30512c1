import { expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { parentOf } from "../model/path-bytes.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { Listing } from "./listing.ts";
import { Names } from "./names.ts";
import { PackedStates } from "./packed-states.ts";
import { newStats } from "./stat-table.ts";

const seed = Math.floor(Math.random() * 2 ** 31);
const state = { kind: "link", hash: "ab".repeat(32), size: 1 } as const;
const name = fc.constantFrom("a", "b", "a.b", "a-", "a0", "ab", "\xff");
const tree = fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

test("a listing gives its states in byte order", () => {
  console.log(`listing: seed ${seed}`);
  fc.assert(
    fc.property(tree, (paths) => {
      const found = [...listingOf(paths.map((parts) => parts.join("/"))).states()].map(([path]) => path);
      expect(found).toEqual([...found].sort());
      expect(new Set(found).size).toBe(found.length);
      for (const path of paths.map((parts) => parts.join("/"))) {
        expect(found.some((each) => each === path || each.startsWith(`${path}/`))).toBe(true);
      }
    }),
    { seed },
  );
});

/** A path that is the parent of another is a directory; every third of the others is an empty one. */
function listingOf(paths: readonly string[]): Listing {
  const listing = new Listing(false, () => {});
  const rules = new IgnoreRules([]);
  const inside = new Map<string, Set<string>>([["", new Set()]]);
  const add = (path: string) => {
    if (path === "") return;
    add(parentOf(path));
    inside.set(parentOf(path), (inside.get(parentOf(path)) ?? new Set()).add(path));
  };
  for (const path of paths) add(path);
  paths.forEach((path, index) => {
    if (index % 3 === 0 && !inside.has(path)) inside.set(path, new Set());
  });
  for (const [path, all] of inside) {
    const own = (each: string) => each.slice(path === "" ? 0 : path.length + 1);
    const names = [...all]
      .filter((each) => !inside.has(each))
      .map(own)
      .sort();
    const subdirectories = new Set([...all].filter((each) => inside.has(each)).map(own));
    listing.put({
      path,
      names: new Names(names),
      subdirectories,
      slot: -1,
      given: rules,
      rules,
      ignoredRoot: undefined,
      stats: newStats(names.length),
      states: PackedStates.of(names.map(() => state)),
      empty: all.size === 0,
    });
  }
  return listing;
}
