import type { Live } from "@retake/client";
import { AI, type Entry, stepEntryId } from "@retake/core";
import { expect, test } from "vitest";
import { lineText } from "../draw/line.ts";
import { screen } from "../testing/drive.ts";
import { modelOf, talkedView } from "../testing/talked-view.ts";
import { rowLines } from "./row-lines.ts";

const NO_WORD = "The model ended without a word.";

test.each<[string, Omit<Live, "turn">]>([
  ["text", { text: { at: 0, text: "first words" } }],
  ["thinking", { thinking: { at: 0, text: "first words" } }],
])("the %s of an answer is shown from its first word on, before any of it is stored", (_, said) => {
  const view = talkedView([["a prompt", "an answer"]], true);
  const live = new Map([[stepEntryId("turn1", 2), { turn: "turn1", ...said }]]);
  const shown = screen(modelOf({ ...view, live }));
  expect(shown).toContain("first words");
  expect(shown).not.toContain(NO_WORD);
});

test.each([
  ["without calls, when its turn has ended", {}, false, NO_WORD],
  ["without calls, while its turn asks again", {}, true, ""],
  ["whose calls were taken back", { tool_calls: [] }, false, "Its calls were taken back."],
])("an answer without words %s", (_, more, isTurnRunning, words) => {
  const entry = { id: "turn1.1", role: AI, content: "", turn_id: "turn1", ...more } as unknown as Entry;
  const context = { width: 60, now: 0, isToggled: false, live: undefined, changes: undefined, prompt: undefined };
  const row = { kind: "entry", key: "entry", name: "#1.1", turn: "turn1", entry } as const;
  const lines = rowLines(row, { ...context, isStruck: false, isTurnRunning });
  expect(lines.map(lineText).join("").trim()).toBe(words);
});
