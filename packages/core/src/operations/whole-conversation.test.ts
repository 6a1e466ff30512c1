import { describe, expect, test } from "vitest";
import type { Built } from "../session/draft.ts";
import { entries } from "../session/view.ts";
import { visibleText, World } from "../testing/world.ts";
import { clearEntries, compressEntries, replaceEntries, truncateEntries } from "./whole-conversation.ts";

const WHOLES: readonly [string, (world: World) => Built, string[]][] = [
  ["[B3] clear", (w) => clearEntries(w.state, w.context()), []],
  ["[B10] truncate to 1 pair", (w) => truncateEntries(w.state, w.context(), { pairs: 1 }), ["two", "2"]],
  ["[B10] truncate to 0 pairs", (w) => truncateEntries(w.state, w.context(), { pairs: 0 }), []],
  [
    "[B11] compress",
    (w) => compressEntries(w.state, w.context(), { summary: { id: "s", content: "in short" } }),
    ["in short"],
  ],
  [
    "[S10] replace, in another order",
    (w) => {
      const [a, b, , d] = [...entries(w.state, "t1")].map(({ id, content }) => ({ id, content }));
      return replaceEntries(w.state, w.context(), { entries: [d, { id: "n", content: "new" }, b, a] as never });
    },
    ["2", "new", "1", "one"],
  ],
];

describe("the conversation as a whole", () => {
  test.each(WHOLES)("%s: one undo brings everything back", (_, make, contents) => {
    const world = new World();
    world.turn("one", "1");
    world.turn("two", "2");
    const before = visibleText(world.state);
    world.must(make(world));
    expect(world.contents()).toEqual(contents);
    world.undo();
    expect(visibleText(world.state)).toBe(before);
  });

  test("[B10] [O4] truncating to the existing number of pairs changes nothing", () => {
    const world = new World();
    world.turn("one");
    expect(truncateEntries(world.state, world.context(), { pairs: 1 })).toMatchObject({ code: "nothing-to-do" });
  });
});
