import { describe, expect, test } from "vitest";
import type { Seen } from "./states-of.ts";
import { Touches } from "./touches.ts";

const seen = (...entries: [string, string][]): Seen => ({ head: null, draft: "", entries });

/** A turn begins, somebody edits another entry and inserts one, and the turn answers. */
function interleaved(): Touches {
  const touches = new Touches();
  touches.note("old", seen(), seen(["e", "one"]));
  touches.note("turn", seen(["e", "one"]), seen(["e", "one"], ["prompt", "?"]));
  touches.note("edit", seen(["e", "one"], ["prompt", "?"]), seen(["e", "two"], ["prompt", "?"]));
  touches.note("turn", seen(["e", "two"], ["prompt", "?"]), seen(["e", "two"], ["prompt", "?"], ["answer", "!"]));
  return touches;
}

const now = seen(["e", "two"], ["prompt", "?"], ["answer", "!"]);

describe("the check of an undo among steps that were made at the same time", () => {
  test("finds nothing wrong where its own entries are gone and all others are as they were", () => {
    expect(interleaved().undo(["turn"], now, seen(["e", "two"]))).toEqual([]);
  });

  test.each<[string, Seen]>([
    ["an entry that it had made and that is still there", seen(["e", "two"], ["prompt", "?"])],
    ["an edit of somebody else that it took with it", seen(["e", "one"])],
    ["an entry of somebody else that it took with it", seen()],
  ])("finds %s", (_, after) => {
    expect(interleaved().undo(["turn"], now, after)).not.toEqual([]);
  });
});
