import { expect, test } from "vitest";
import { type ListedTake, takeRows } from "./take-rows.ts";

const take = (id: string, parent: string | null, turn?: string) =>
  ({ id, name: id, parent, branched_at: turn === undefined ? null : { turn_name: turn } }) as unknown as ListedTake;

const drawn = (takes: readonly ListedTake[]) =>
  takeRows(takes).map(({ kind, take: { id }, column, turn, from }) => [kind, id, column, turn ?? from?.row]);

test("[D3] a take without branches is one row", () => {
  expect(drawn([take("main", null)])).toEqual([["head", "main", 0, undefined]]);
  expect(drawn([])).toEqual([]);
});

test("[D3] branches stand below the turn they leave, in the order of turns, each in a column of its own", () => {
  const takes = [take("main", null), take("late", "main", "#12"), take("a", "main", "#2"), take("aa", "a", "#2")];
  expect(drawn(takes)).toEqual([
    ["branch", "main", 0, "#2"],
    ["branch", "a", 1, "#2"],
    ["head", "aa", 2, 1],
    ["head", "a", 1, 0],
    ["branch", "main", 0, "#12"],
    ["head", "late", 3, 4],
    ["head", "main", 0, undefined],
  ]);
});

test("[D5] a take whose parent was deleted stands by itself, and every take has one head", () => {
  const takes = [take("orphan", "gone", "#1"), take("child", "orphan", "#3")];
  expect(drawn(takes).filter(([kind]) => kind === "head")).toHaveLength(2);
});
