import { expect, test } from "vitest";
import { visible, visibleJson } from "./visible-text.ts";

test.each([
  ["rm -rf build", "rm -rf build"],
  ["a\tb\r\nc", "a\tb\nc"],
  ["git push \u202eniam nigiro", "git push \ufffdniam nigiro"],
  ["ls \u001b[2J\u0007", "ls \u241b[2J\u2407"],
  ["\u007f\u0085", "\u2421\ufffd"],
])("[X13] [F4] a character that changes how a text is shown is shown itself: %j", (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test("[F4] a JSON text holds no such character and means the same", () => {
  const value = { path: "a\u202eb\u007f" };
  const json = visibleJson(JSON.stringify(value));
  expect(visible(json)).toBe(json);
  expect(JSON.parse(json)).toEqual(value);
});
