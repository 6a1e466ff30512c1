import { describe, expect, test } from "vitest";
import { type Conflict, decide, holdDecisions, NO_DECISIONS, resolutionsOf } from "./decisions.ts";

const conflict = (path: string, mine: string, more: object = {}): Conflict => {
  const side = (content: string) => ({ kind: "file" as const, encoding: "utf8" as const, content });
  return { path, kind: "overlap", sides: { base: null, mine: { ...side(mine), ...more }, theirs: null, merged: null } };
};
const [a, b] = [conflict("a", "mine a"), conflict("b", "mine b")];

describe("decisions about conflicts", () => {
  test("[X1] a decision holds while the sides of its conflict are the same, and no longer", () => {
    const decided = decide(NO_DECISIONS, [a, b], "theirs");
    const changed = conflict("a", "changed since");
    const held = holdDecisions(decided, { conflicts: [changed, conflict("b", "mine b")] });
    expect(held.changed).toEqual([changed]);
    expect(resolutionsOf({ conflicts: [changed, b] }, held.decisions)).toEqual([{ path: "b", use: "theirs" }]);
  });

  test("[X1] a large file whose beginning is the same has other sides", () => {
    const beginning = (hash: string) => conflict("a", "beginning", { more: true, hash });
    const decided = decide(NO_DECISIONS, [beginning("1")], "theirs");
    expect(holdDecisions(decided, { conflicts: [beginning("2")] }).decisions.size).toBe(0);
  });

  test("[X1] a decision waits while the scope leaves its file out", () => {
    const decided = decide(decide(NO_DECISIONS, [a], "mine"), [b], { content: "both" });
    const { decisions, changed } = holdDecisions(decided, { conflicts: [b] });
    expect(changed).toEqual([]);
    expect(resolutionsOf({ conflicts: [b] }, decisions)).toEqual([{ path: "b", use: { content: "both" } }]);
    expect(resolutionsOf({ conflicts: [a, b] }, decisions)).toHaveLength(2);
    expect(resolutionsOf({}, decisions)).toEqual([]);
  });
});
