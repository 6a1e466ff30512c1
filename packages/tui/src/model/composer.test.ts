import { describe, expect, test } from "vitest";
import { type Composer, composerKey, EMPTY_COMPOSER, insertText, redoEdit, undoEdit, withText } from "./composer.ts";

const after = (text: string, ...keys: readonly string[]): Composer =>
  keys.reduce((composer, key) => composerKey(composer, key) ?? composer, withText(EMPTY_COMPOSER, text));

describe("the text field", () => {
  test.each([
    ["one two", ["Ctrl+W"], "one ", 4],
    ["one two", ["Ctrl+A", "Ctrl+K"], "", 0],
    ["one\ntwo", ["Ctrl+U"], "one\n", 4],
    ["one\ntwo", ["ArrowUp", "Backspace"], "on\ntwo", 2],
    ["one\ntwo", ["ArrowUp", "ArrowUp"], "one\ntwo", 0],
    ["long line\nab", ["ArrowUp", "End", "ArrowDown"], "long line\nab", 12],
    ["a👩‍👩‍👧", ["Backspace"], "a", 1],
    ["e\u0301x", ["ArrowLeft", "Backspace"], "x", 0],
    ["a\n😀x", ["ArrowUp", "ArrowDown", "Backspace"], "a😀x", 1],
    ["世界\nabc", ["ArrowLeft", "ArrowUp"], "世界\nabc", 1],
    ["one two", ["Alt+B", "Alt+Enter"], "one \ntwo", 5],
    ["one two", ["Ctrl+W", "Ctrl+A", "Ctrl+V"], "twoone ", 3],
  ])("%j after %j", (text, keys, expected, cursor) => {
    expect(after(text, ...keys)).toMatchObject({ text: expected, cursor });
  });

  test("[F29] takes its own edits back word by word, and brings them again", () => {
    let composer = EMPTY_COMPOSER;
    for (const letter of "one two") composer = insertText(composer, letter);
    expect(undoEdit(composer).text).toBe("one");
    expect(undoEdit(undoEdit(composer)).text).toBe("");
    expect(redoEdit(redoEdit(undoEdit(undoEdit(composer)))).text).toBe("one two");
  });

  test("[F29] has no history of its own where the text came from outside", () => {
    expect(withText(insertText(EMPTY_COMPOSER, "typed"), "given").before).toEqual([]);
  });
});
