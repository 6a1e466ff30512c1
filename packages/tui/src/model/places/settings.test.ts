import { expect, test } from "vitest";
import { after, calls, key, screen, typed } from "../../testing/drive.ts";
import { modelOf, talkedView } from "../../testing/talked-view.ts";
import type { Tag } from "../effect.ts";

const tag: Tag = { for: "list", name: "settings", about: {} };
const { model: asked } = after(
  modelOf(talkedView([["a prompt", "an answer"]])),
  { type: "open", name: "settings", about: {} },
  { type: "answered", tag, answer: { temperature: 0 } },
  key("Enter"),
  key("Backspace"),
);

test.each(["abc", "", "Infinity", "0x10", "1,5"])("[S2] a number is asked for again after %j", (text) => {
  const { model, effects } = after(asked, ...typed(text), key("Enter"));
  expect(calls(effects)).toEqual([]);
  expect(screen(model)).toContain(`'${text}' is not a number. Nothing was changed.`);
  const { effects: sent } = after(model, key("Ctrl+U"), ...typed("0.5"), key("Enter"));
  expect(calls(sent)).toEqual([["changeSettings", { temperature: 0.5 }]]);
});
