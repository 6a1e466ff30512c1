import { expect, test } from "vitest";
import { WholeCharacters } from "./whole-characters.ts";

test("joins a character that arrives in two pieces, and replaces a half that stays alone", () => {
  const text = new WholeCharacters();
  const [first, second] = ["🙂".slice(0, 1), "🙂".slice(1)];
  expect([
    text.push(`a${first}`),
    text.push(second),
    text.push(first),
    text.push("b"),
    text.push(first),
    text.end(),
  ]).toEqual(["a", "🙂", "", "\ufffdb", "", "\ufffd"]);
});
