import { expect, test } from "vitest";
import { after, calls } from "../../testing/drive.ts";
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
