import { expect, test } from "vitest";
import { viewOf } from "../../screens/view-of.ts";
import { after, calls, key, screen, typed } from "../../testing/drive.ts";
import { modelOf, talkedView } from "../../testing/talked-view.ts";

const model = modelOf(talkedView([["a prompt", "an answer"]]));

test("a shell command that runs stays on the screen, and Escape ends it", () => {
  const running = after(model, ...typed("!sleep 9"), key("Enter")).model;
  for (const name of ["Enter", "Tab", "?"]) expect(after(running, key(name)).model.places).toEqual(running.places);
  const ended = after(running, key("Escape"));
  expect(ended.effects).toEqual([{ kind: "end-shell" }]);
  expect(ended.model.places).toHaveLength(1);
  const over = after(running, { type: "command-ended", code: 0 }, key("Escape"));
  expect(over.model.places).toEqual([]);
});

test("the output of a command whose place was closed is shown in no other place", () => {
  const closed = after(model, ...typed("/gc"), key("Enter"), key("Escape"));
  const { model: shown } = after(closed.model, key("?"), { type: "printed", text: "an output of gc" });
  expect(screen(shown)).toContain("Keys");
  expect(screen(shown)).not.toContain("an output of gc");
});

const PROMPT = "gq jk? Go";
const shown = { type: "printed", text: "Commands: ask" } as const;
const over = { type: "command-ended", code: 0 } as const;

test.each([
  ["the output of a command that has ended", [...typed("/approvals ask"), key("Enter"), shown, over]],
  ["the output of a command that runs", [...typed("/approvals ask"), key("Enter"), shown]],
  ["the output of a shell command that has ended", [...typed("!ls"), key("Enter"), shown, over]],
  ["the keys", [key("?")]],
])("a prompt that is typed over %s loses no letter, is seen, and is sent by Enter", (_, events) => {
  const open = after(model, ...events).model;
  const { model: written } = after(open, ...typed(PROMPT));
  expect(written.composer.text).toBe(PROMPT);
  expect(screen(written)).toContain(`› ${PROMPT}`);
  expect(viewOf(written).cursor).toMatchObject({ column: 2 + PROMPT.length });
  expect(written.places).toHaveLength(1);
  const sent = after(written, key("Enter"));
  expect(calls(sent.effects)).toContainEqual(["startTurn", { prompt: PROMPT }]);
  expect(sent.model.places).toEqual([]);
});

const output = after(model, ...typed("/gc"), key("Enter"), shown, over).model;

test("Escape closes an output and keeps what was typed over it; Enter closes one over which nothing was typed", () => {
  const closed = after(output, ...typed("next"), key("Escape")).model;
  expect(closed.places).toEqual([]);
  expect(closed.composer.text).toBe("next");
  for (const keys of [[key("Enter")], [...typed("x"), key("Backspace"), key("Enter")]]) {
    const { model: left, effects } = after(output, ...keys);
    expect(left.places).toEqual([]);
    expect(calls(effects)).toEqual([]);
  }
});

test("Enter over an output sends no draft that was not typed on there", () => {
  const drafted = { ...output, composer: { ...output.composer, text: "a draft", cursor: 7 } };
  expect(calls(after(drafted, key("Enter")).effects)).toEqual([]);
});

test("a prompt that is typed while a shell command runs waits in the field", () => {
  const running = after(model, ...typed("!sleep 9"), key("Enter"), ...typed("next"), key("Enter"));
  expect(calls(running.effects)).toEqual([]);
  expect(running.model.places).toHaveLength(1);
  expect(screen(running.model)).toContain("› next");
  expect(after(running.model, key("Escape")).effects).toEqual([{ kind: "end-shell" }]);
});

test("a paste over an output goes into the prompt", () => {
  const pasted = after(output, { type: "paste", text: "two\nlines" }).model;
  expect(pasted.composer.text).toBe("two\nlines");
  expect(screen(pasted)).toContain("› two");
});

test("Tab puts an output into the prompt, on lines of its own", () => {
  const { model: quoted } = after(output, ...typed("Explain:"), key("Tab"));
  expect(quoted.composer.text).toBe("Explain:\n```\n/gc\nCommands: ask\n```\n");
  expect(quoted.places).toEqual([]);
});

test("letters scroll and close an output that was opened from a row", () => {
  const help = after(model, key("Escape"), key("?")).model;
  expect(screen(after(help, key("G"), key("j")).model)).not.toContain("Everywhere");
  expect(after(help, key("q")).model).toMatchObject({ places: [], state: "moving" });
  expect(after(help, key("w")).model.composer.text).toBe("w");
});

test.each(["PageDown", "End"])("lines scroll up at once, however often %s was pressed", (down) => {
  const end = after(model, key("?"), ...Array(20).fill(key(down))).model;
  const last = "Commands are the same words as in a shell";
  expect(screen(end)).toContain(last);
  expect(screen(after(end, key("PageUp")).model)).not.toContain(last);
});
