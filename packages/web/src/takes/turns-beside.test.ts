import { expect, test } from "vitest";
import { turnsBeside } from "./turns-beside.ts";

test("[X6] turns of two takes stand beside each other, and the longer one goes on alone", () => {
  const entry = (id: string, turn_id?: string) => ({ id, turn_id });
  const a = [entry("1", "x"), entry("2", "x"), entry("3"), entry("4", "y")];
  const rows = turnsBeside(a, [entry("5", "z")]).map((row) => [row.a, row.b].map((each) => each.map(({ id }) => id)));
  expect(rows).toEqual([
    [["1", "2", "3"], ["5"]],
    [["4"], []],
  ]);
  expect(turnsBeside([], [])).toEqual([]);
});
