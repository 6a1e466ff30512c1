import { expect, test } from "vitest";
import { after, key, screen, typed } from "../../testing/drive.ts";
import { modelOf, talkedView } from "../../testing/talked-view.ts";

const model = modelOf(talkedView([["a prompt", "an answer"]]));

test("a shell command that runs stays on the screen, and Escape or q ends it", () => {
  const running = after(model, ...typed("!sleep 9"), key("Enter")).model;
  expect(after(running, key("Enter")).model.places).toEqual(running.places);
  for (const name of ["Escape", "q"]) {
    const ended = after(running, key(name));
    expect(ended.effects).toEqual([{ kind: "end-shell" }]);
    expect(ended.model.places).toHaveLength(1);
  }
  const over = after(running, { type: "command-ended", code: 0 }, key("Escape"));
  expect(over.model.places).toEqual([]);
});

test("the output of a command whose place was closed is shown in no other place", () => {
  const closed = after(model, ...typed("/gc"), key("Enter"), key("Escape"));
  const { model: shown } = after(closed.model, key("?"), { type: "printed", text: "an output of gc" });
  expect(screen(shown)).toContain("Keys");
  expect(screen(shown)).not.toContain("an output of gc");
});
