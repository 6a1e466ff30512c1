import { expect, test } from "vitest";
import { Output } from "./output.ts";
import { takeBackHint } from "./take-back-hint.ts";
import { TestWorld } from "./testing/test-world.ts";

test.each([
  ["T-1", "Take this back: /undo --step"],
  ["T-2", "Take this back: /undo --step --thread T-2"],
])("[F64] on a screen that shows T-1, a change of %s is taken back by what can be typed there", (thread, hint) => {
  const { output: stream, environment, now } = new TestWorld({ directory: "/", environment: {} });
  const output = new Output(false, { output: stream, environment, now, shownThread: "T-1" }, "prompt");
  const [line] = takeBackHint({ options: { thread }, output }, { taken_back_by: "undo-step" });
  expect(line?.trim()).toBe(hint);
});
