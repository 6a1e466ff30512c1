import { expect, test } from "vitest";
import { lineText, lineWidth } from "../draw/line.ts";
import { takeTabs } from "./take-tabs.ts";

const TAKES = Array.from({ length: 9 }, (_, at) => ({ id: `t${at}`, name: at === 0 ? "main" : `main_take_${at}` }));

test("the active take is seen however many there are, and what has no room is marked", () => {
  expect(lineText(takeTabs(TAKES.slice(0, 2), "t1", 60))).toBe("   main │ main_take_1● ");
  for (const { id, name } of TAKES) {
    const line = takeTabs(TAKES, id, 60);
    expect(lineText(line)).toContain(`${name}●`);
    expect(lineWidth(line)).toBeLessThanOrEqual(60);
  }
  expect(lineText(takeTabs(TAKES, "t8", 40))).toMatch(/^ {2}… /);
  expect(lineText(takeTabs(TAKES, "t0", 40))).toMatch(/ …$/);
  expect(takeTabs(TAKES.slice(0, 1), "t0", 60)).toEqual([]);
});
