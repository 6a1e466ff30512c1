import { expect, test } from "vitest";
import { after, key, screen } from "../testing/drive.ts";
import { modelOf, talkedView } from "../testing/talked-view.ts";

const TALK = [
  ["first prompt", "an answer"],
  ["second prompt", "a half"],
] as const;
const running = modelOf(talkedView(TALK, true));
const end = (status: "finished" | "interrupted") =>
  ({ type: "viewed", now: 0, view: talkedView(TALK, status) }) as const;

test.each([
  ["Esc Esc", [key("Escape"), key("Escape")]],
  ["Ctrl+C", [key("Ctrl+C")]],
])("after %s the screen says that the turn is being stopped, and after its end that it is stopped", (_, keys) => {
  const stopping = after(running, ...keys).model;
  expect(screen(stopping)).toContain("Stopping the turn");
  const { model: stopped, effects } = after(stopping, end("interrupted"));
  expect(screen(stopped)).not.toContain("Stopping");
  expect(screen(stopped)).toContain("The turn is stopped. Its changes stay until you undo it.");
  expect(effects).toContainEqual(expect.objectContaining({ kind: "after", id: "toast" }));
});

test("Ctrl+D leaves no turn that runs: it says what stops one", () => {
  const { model, effects } = after(running, key("Ctrl+D"));
  expect(effects).not.toContainEqual({ kind: "quit" });
  expect(screen(model)).toContain("A turn runs: Ctrl+C stops it, and Ctrl+C again leaves.");
  expect(after(model, end("finished"), key("Ctrl+D")).effects).toContainEqual({ kind: "quit" });
});

test("nothing is said about stopping a turn that has ended by itself", () => {
  for (const keys of [[key("Escape")], [key("Escape"), key("Escape")], [key("Ctrl+C")], [key("Ctrl+D")]]) {
    const { model } = after(running, ...keys, end("finished"));
    expect(model.toast).toBeUndefined();
  }
});
