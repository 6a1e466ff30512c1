import { describe, expect, test } from "vitest";
import { entries, entryCount } from "../session/view.ts";
import { visibleText, World } from "../testing/world.ts";
import { insertEntry } from "./insert-entry.ts";

describe("insertEntry", () => {
  test("[A5] [E5] 5,000 inserts in ever narrower gaps stay in order with short keys, and undo is exact", () => {
    const world = new World();
    const expected: string[] = [];
    let index = 0;
    for (let count = 0; count < 5000; count += 1) {
      const id = `n${count}`;
      const before = count % 500 === 499 ? visibleText(world.state) : undefined;
      world.must(insertEntry(world.state, world.context(), { entry: { id }, index }));
      expected.splice(index, 0, id);
      if (before !== undefined) {
        const after = visibleText(world.state);
        world.undo({ steps: true });
        expect(visibleText(world.state)).toBe(before);
        world.redo();
        expect(visibleText(world.state)).toBe(after);
      }
      // Alternately left and right of the last one, so that the gap halves every time.
      index += count % 2;
    }
    const list = [...entries(world.state, "t1")];
    expect(list.map((entry) => entry.id)).toEqual(expected);
    expect(Math.max(...list.map((entry) => entry.order.length))).toBeLessThanOrEqual(96);
    expect(entryCount(world.state, "t1")).toBe(5000);
  });

  test.each([
    ["before another", { before: "b" }, ["a", "new", "b"]],
    ["at an index", { index: 0 }, ["new", "a", "b"]],
    ["at the end", {}, ["a", "b", "new"]],
  ])("[A5] [B1] inserts %s", (_, place, order) => {
    const world = new World();
    for (const id of ["a", "b"]) world.must(insertEntry(world.state, world.context(), { entry: { id } }));
    world.must(insertEntry(world.state, world.context(), { entry: { id: "new", mine: { kept: true } }, ...place }));
    const list = [...entries(world.state, "t1")];
    expect(list.map((entry) => entry.id)).toEqual(order);
    expect(list.find((entry) => entry.id === "new")).toMatchObject({ role: "User", mine: { kept: true } });
  });
});
