import { expect, test } from "vitest";
import { after, calls, key } from "../../testing/drive.ts";
import { modelOf, talkedView } from "../../testing/talked-view.ts";
import type { Event } from "../effect.ts";
import type { Model } from "../model.ts";

const MARKED = "<<<<<<< on disk\nmine\n=======\nbefore\n>>>>>>> restored\n";

/** The preview of an undo that is in conflict in two files. */
function conflicting(): Model {
  const asked = after(modelOf(talkedView([["a prompt", "an answer"]])), key("Escape"), key("u"));
  const call = asked.effects.find((effect) => effect.kind === "call");
  if (call?.kind !== "call") throw new Error("no dry run");
  const text = (content: string) => ({ kind: "file", content });
  const sides = { mine: text("mine\n"), theirs: text("before\n"), merged: text(MARKED) };
  const conflicts = ["a.txt", "b.txt"].map((path) => ({ path, kind: "overlap", sides }));
  const answer = { description: "Undo", plan_id: "p1", conflicts };
  return after(asked.model, { type: "answered", tag: call.tag, answer }).model;
}

/** The answer to the last call, which is a dry run or a change. */
function answered({ model, effects }: ReturnType<typeof after>, answer: object) {
  const call = effects.findLast((effect) => effect.kind === "call");
  if (call?.kind !== "call") throw new Error("no call");
  return after(model, { type: "answered", tag: call.tag, answer });
}

test("Ctrl+Z three times undoes three steps, each planned on what the one before left", () => {
  const PLAN = [["undo", { steps: 1, dry_run: true, detail: true }]];
  const DO = [["undo", { steps: 1, plan_id: "p1" }]];
  const plan = { description: "Undo", plan_id: "p1" };
  const keys = ["Ctrl+Z", "Ctrl+Z", "Ctrl+Z"].map(key);
  let at = after(modelOf(talkedView([["a prompt", "an answer"]])), ...keys);
  for (const _ of keys) {
    expect(calls(at.effects)).toEqual(PLAN);
    const asked = answered(at, plan);
    expect(calls(asked.effects)).toEqual(DO);
    at = answered(asked, { op_id: "op", ...plan });
  }
  expect(calls(at.effects)).toEqual([]);
  expect(calls(after(at.model, key("Ctrl+Z")).effects)).toEqual(PLAN);
});

test("a step that cannot be undone ends those that wait after it", () => {
  const asked = after(modelOf(talkedView([["a prompt", "an answer"]])), key("Ctrl+Z"), key("Ctrl+Z"));
  const { model, effects } = answered(asked, { message: "There is nothing to undo." });
  expect(calls(effects)).toEqual([]);
  expect(model).toMatchObject({ quick: undefined, toast: { text: "There is nothing to undo." } });
});

test("[U6] a plan that is looked at ignores Ctrl+Z and Ctrl+Y", () => {
  const model = conflicting();
  for (const name of ["Ctrl+Z", "Ctrl+Y"]) {
    const pressed = after(model, key(name));
    expect(pressed.effects).toEqual([]);
    expect(pressed.model.places).toEqual(model.places);
  }
});

test("after an undo in moving the row keeps the focus", () => {
  const opened = after(modelOf(talkedView([["a prompt", "an answer"]])), key("Escape"), key("u"));
  const asked = answered(opened, { description: "Undo", plan_id: "p1" });
  const done = answered(after(asked.model, key("Enter")), { op_id: "op", description: "Undo" });
  expect(done.model).toMatchObject({ state: "moving", places: [] });
});

const edited = (text: string): Event => ({ type: "edited", tag: { for: "resolution", path: "a.txt" }, text });

test.each([
  ["an editor that is left without a change", MARKED, "was not edited"],
  ["a text that still holds markers", `more\n${MARKED}`, "still holds conflict markers"],
])("[X1] %s decides no conflict, and the screen says so", (_, text, said) => {
  const opened = after(conflicting(), key("e"));
  expect(opened.effects).toMatchObject([{ kind: "edit", text: MARKED }]);
  const { model } = after(opened.model, edited(text));
  expect(model.toast?.text).toContain(said);
  expect(model.places.at(-1)).toMatchObject({ resolutions: new Map() });
  expect(calls(after(model, key("Enter")).effects)).toEqual([]);
});

test("[X1] a text without markers decides its conflict, and the next one has the focus", () => {
  const { model } = after(conflicting(), edited("both\n"));
  expect(model.places.at(-1)).toMatchObject({ selected: 1, resolutions: new Map([["a.txt", { content: "both\n" }]]) });
});
