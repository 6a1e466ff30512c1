import { expect, test } from "vitest";
import { type Act, EnterRun } from "./enter-run.ts";

const enter = (timeStamp: number): Act => ({ key: "Enter", timeStamp });

/** The words came on the screen at 10. */
function isAfter(...acts: readonly Act[]): boolean {
  const run = new EnterRun();
  for (const act of acts) run.note(act);
  return run.isAfter(10);
}

test.each<[string, boolean, readonly Act[]]>([
  ["is meant for words that were there when it went down", true, [enter(11)]],
  ["is not meant for words that came after it went down", false, [enter(9)]],
  ["is not meant for them when it repeats one from before, however late", false, [enter(9), enter(11), enter(60_000)]],
  ["is meant for them after another key", true, [enter(9), { key: "ArrowLeft", timeStamp: 11 }, enter(12)]],
  ["is meant for them after a press of the pointer", true, [enter(9), { timeStamp: 11 }, enter(12)]],
  [
    "is not meant for them after a key that only holds",
    false,
    [enter(9), { key: "Control", timeStamp: 11 }, enter(12)],
  ],
])("Enter %s", (_, expected, acts) => {
  expect(isAfter(...acts)).toBe(expected);
});
