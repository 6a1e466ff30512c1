import { expect, test } from "vitest";
import { after, calls, key, typed } from "../testing/drive.ts";
import { modelOf, talkedView } from "../testing/talked-view.ts";

/** The field with a text, for which choices were found. */
function completing(text: string, from: number, ...words: readonly string[]) {
  const { model } = after(modelOf(talkedView([["a prompt", "an answer"]])), ...typed(text));
  const choices = words.map((word) => ({ word }));
  return after(model, { type: "completed", request: model.keys, from, choices }).model;
}

test("Enter takes a file that was gone to with ↓, and sends a text in which none was chosen", () => {
  const model = completing("look at @b", 9, "a.ts ", "b.ts ");
  const taken = after(model, key("ArrowDown"), key("Enter"));
  expect(taken.model.composer.text).toBe("look at @b.ts ");
  expect(calls(taken.effects)).toEqual([]);
  expect(calls(after(model, key("Enter")).effects)).toContainEqual(["startTurn", { prompt: "look at @b" }]);
});

test("Enter completes the unfinished name of a command, and runs a whole one", () => {
  expect(after(completing("/sett", 0, "/settings "), key("Enter")).model).toMatchObject({
    places: [],
    composer: { text: "/settings " },
  });
  const whole = completing("/re", 0, "/re ", "/redo ");
  expect(after(whole, key("Enter")).model.composer.text).toBe("");
});
