import { expect, test } from "vitest";
import { lineText } from "../draw/line.ts";
import { update } from "../model/update.ts";
import { modelOf, talkedView } from "../testing/talked-view.ts";
import { viewOf } from "./view-of.ts";

const TALK = [
  [
    "write notes about the plan",
    'I will **write** them:\n\n- first `notes.txt`\n- then the *rest*\n\n```ts\nconst plan = "simple"; // one line\n```',
  ],
  ["a prompt that is long enough to be broken into two lines where the terminal is small", "Done. 世界 👩‍👩‍👧"],
] as const;

test.each([
  [60, 20],
  [100, 24],
  [140, 24],
  [30, 10],
])("the conversation at %i by %i", (columns, rows) => {
  const model = modelOf(talkedView(TALK), columns, rows);
  expect(
    `\n${viewOf(model)
      .lines.map((each) => lineText(each).trimEnd())
      .join("\n")}\n`,
  ).toMatchSnapshot();
});

test("the keys", () => {
  const { model } = update(modelOf(talkedView(TALK), 100, 40), { type: "key", key: "?", text: "?" });
  expect(
    `\n${viewOf(model)
      .lines.map((each) => lineText(each).trimEnd())
      .join("\n")}\n`,
  ).toMatchSnapshot();
});
