import { expect, test } from "vitest";
import { after, calls, key, screen, typed } from "../../testing/drive.ts";
import { modelOf, talkedView } from "../../testing/talked-view.ts";
import type { Event } from "../effect.ts";

test("a list that is read again reads the details of its chosen item again", () => {
  const take = { id: "other", name: "other", base_name: "other", active: false, entries: 2 };
  const listed: Event = { type: "answered", tag: { for: "list", name: "takes", about: {} }, answer: { takes: [take] } };
  const compared = { a: { name: "main" }, b: { name: "other" }, common: 1, entries: { a: [], b: [] }, files: [] };
  const shown = after(
    modelOf(talkedView([["a prompt", "an answer"]])),
    { type: "open", name: "takes", about: {} },
    listed,
    { type: "answered", tag: { for: "detail", name: "takes", key: "other" }, answer: compared },
  );
  expect(calls(after(shown.model, listed).effects)).toEqual([["compareTakes", "take-1", "other"]]);
});

test("the details of an item scroll up at once, however far down was scrolled", () => {
  const lines = Array.from({ length: 60 }, (_, at) => `+line ${at}.`);
  const files = [
    { path: "a.txt", status: "added", additions: 60, deletions: 0, hunks: [{ new_start: 1, edits: [0], lines }] },
  ];
  const end = after(
    modelOf(talkedView([["a prompt", "an answer"]])),
    { type: "open", name: "review", about: { from: "#1^", to: "#1", turn: "#1" } },
    { type: "answered", tag: { for: "list", name: "review", about: {} }, answer: { files } },
    { type: "answered", tag: { for: "detail", name: "review", key: "a.txt" }, answer: { files } },
    ...Array(20).fill(key("PageDown")),
  ).model;
  expect(screen(end)).not.toContain("+line 50.");
  expect(screen(after(end, key("PageUp")).model)).toContain("+line 50.");
});

test("/ in the results of a search asks for other words", () => {
  const found = after(
    modelOf(talkedView([["a prompt", "an answer"]])),
    ...typed("/search idea"),
    key("Enter"),
    { type: "answered", tag: { for: "list", name: "search", about: {} }, answer: { threads: [] } },
    key("/"),
  );
  expect(found.model.places.at(-1)).toMatchObject({ kind: "ask", asked: { what: "search" } });
});
