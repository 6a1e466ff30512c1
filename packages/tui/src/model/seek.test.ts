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
