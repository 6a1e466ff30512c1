import { expect, test } from "vitest";
import { after, calls, key, screen } from "../testing/drive.ts";
import { modelOf, talkedView } from "../testing/talked-view.ts";
import type { Event, Tag } from "./effect.ts";
import type { Model } from "./model.ts";

const TALK = Array.from({ length: 30 }, (_, at) => [`prompt ${at + 1}`, `answer ${at + 1}`] as const);
const whole = talkedView(TALK);
const windowed = talkedView(TALK, false, 10);

/** The model after a search that found one entry, and Enter on it. */
function found(model: Model, match: { entry_id: string; take?: string }, thread = "T-1") {
  const about = { words: "x" };
  const matches = [{ take: "take-1", role: "User", snippet: "x", ...match }];
  const answer = { threads: [{ id: thread, title: "A thread", matches }] };
  const tag: Tag = { for: "list", name: "search", about };
  return after(model, { type: "open", name: "search", about }, { type: "answered", tag, answer }, key("Enter"));
}

const viewed = (view: Model["view"]): Event => ({ type: "viewed", view: view as NonNullable<typeof view>, now: 0 });

test.each([
  ["turn3.prompt", "#3 prompt 3"],
  ["turn3.1", "answer 3"],
])("[L11] a search goes to %s, and the conversation goes on below it", (entry_id, text) => {
  const { model } = found(modelOf(whole), { entry_id });
  expect(screen(model)).toContain(text);
  expect(screen(model)).toContain("answer 5");
  expect(model.focus).toBeDefined();
});

test("[L11] an entry outside of the window is read with all that follows it", () => {
  const { model, effects } = found(modelOf(windowed), { entry_id: "turn3.1" });
  expect(effects).toContainEqual({ kind: "show", window: { before: "turn3.1", count: 50 } });
  const before = { ...whole, from: "a", to: "b", next: "c", state: windowed.state };
  const more = after(model, viewed(before));
  expect(more.effects).toContainEqual({ kind: "show", window: { from: "a", to: null, groups: before.groups } });
  const { model: there } = after(more.model, viewed(whole));
  expect(screen(there)).toContain("answer 3");
  expect(there.sought).toBeUndefined();
});

test("[L11] an entry of another take is gone to by way of a switch, which is shown first", () => {
  const { model, effects } = found(modelOf({ ...whole, take: "take-2" }), { entry_id: "turn3.1" });
  expect(calls(effects)).toContainEqual(["switchTake", "take-1", { dry_run: true, detail: true }]);
  expect(screen(model)).toContain("Switch to main, where that was said");
  expect(after(model, key("Escape")).model.sought).toBeUndefined();
  const { model: there } = after({ ...model, places: [] }, viewed(whole));
  expect(screen(there)).toContain("answer 3");
});

test("[L11] an entry of another thread is gone to when that thread is there", () => {
  const other = modelOf({ ...whole, thread: "T-2" });
  const { model, effects } = found({ ...other, thread: "T-2" }, { entry_id: "turn3.1" });
  expect(effects).toContainEqual({ kind: "follow", thread: "T-1" });
  const { model: there } = after(model, viewed(whole));
  expect(screen(there)).toContain("answer 3");
  expect(there.state).toBe("moving");
});

const WHOLE = { kind: "show", window: { from: null, to: null, groups: windowed.groups } } as const;

test.each([
  ["g g", [key("Escape"), key("g"), key("g")], "moving"],
  ["Home", [key("Escape"), key("Home")], "moving"],
  ["Ctrl+Home", [key("Ctrl+Home")], "typing"],
])("%s goes to the beginning of the conversation, also where it lies before the window", (_, keys, state) => {
  const { model: asked, effects } = after(modelOf(windowed), ...keys);
  expect(effects).toContainEqual(WHOLE);
  // A view that came before the answer is not the end of the way.
  const { model: there } = after(asked, viewed({ ...windowed, seq: "99" }), viewed(whole));
  expect(screen(there)).toContain("#1 prompt 1 ");
  expect(screen(there)).toContain("answer 2");
  expect(there).toMatchObject({ state, sought: undefined });
  const first = there.state === "moving" ? there.focus : there.anchor?.row;
  expect(first).toContain("turn1");
});

test("a key ends the way to the beginning", () => {
  const { model } = after(modelOf(windowed), key("Escape"), key("g"), key("g"), key("G"), viewed(whole));
  expect(screen(model)).toContain("answer 30");
  expect(model.anchor).toBeUndefined();
});

test("a beginning that no window holds together with the end is said to be elsewhere", () => {
  const long = talkedView(
    Array.from({ length: 1010 }, (_, at) => [`prompt ${at + 1}`, "."] as const),
    "finished",
    2000,
  );
  expect(long.previous).not.toBeNull();
  const { model } = after(modelOf(windowed), key("Escape"), key("g"), key("g"), viewed(long));
  expect(screen(model)).toContain("#11 prompt 11");
  expect(model.toast?.text).toContain("Ctrl+O shows everything");
  expect(model.sought).toBeUndefined();
});
