import { approvalsIn } from "@retake/client";
import { describe, expect, test } from "vitest";
import { after, calls, key, screen, typed } from "../testing/drive.ts";
import { askingView, modelOf } from "../testing/talked-view.ts";
import type { Event } from "./effect.ts";
import type { Model } from "./model.ts";

const ASKED = askingView([["a prompt", "an answer"]], { name: "bash", input: { command: "git push" }, notices: [] });
const CALL = approvalsIn(ASKED)[0]?.call_id ?? "";
const ALLOWED = [["decideApproval", "turn1", CALL, { decision: "allow" }]];
const VIEWED: Event = { type: "viewed", view: ASKED, now: 0 };

/** The model after events; then the timer of the question ends, if one was set. */
function afterPause(model: Model, ...events: readonly Event[]): Model {
  const done = after(model, ...events);
  const timer = done.effects.findLast((effect) => effect.kind === "after" && effect.id === "question");
  return timer?.kind === "after"
    ? after(done.model, { ...timer.event, keys: done.model.keys } as Event).model
    : done.model;
}

const answer = (model: Model) => calls(after(model, key("y")).effects);
const asked = { ...modelOf(undefined), thread: "T-1" };
const WAITS = "Tab goes to this question";

describe("a question", () => {
  test("[F1] [F3] is answered by a key only after it was shown for a moment with nothing typed", () => {
    expect(answer(after(asked, VIEWED).model)).toEqual([]);
    expect(answer(afterPause(asked, VIEWED))).toEqual(ALLOWED);
    expect(answer(afterPause(asked, ...typed("and"), VIEWED))).toEqual([]);
    const early = after(asked, VIEWED, key("y"));
    expect([calls(early.effects), early.model.composer.text]).toEqual([[], "y"]);
  });

  test.each([
    [30, 10],
    [30, 8],
    [20, 6],
  ])("[F2] shows the command beside its keys, also on a terminal of %i by %i", (columns, rows) => {
    const always = { tool: "bash", command: "git *", decision: "allow" } as const;
    const notices = [{ kind: "irreversible", what: "git push" }] as const;
    const view = askingView([["a prompt", "an answer"]], {
      name: "bash",
      input: { command: "git push" },
      notices,
      always,
    });
    const model = afterPause({ ...modelOf(undefined, columns, rows), thread: "T-1" }, { ...VIEWED, view });
    expect(screen(model)).toMatch(/\n +git push\s*\n[\s\S]*y allow/);
  });

  test("[F2] scrolls up at once, however far down was scrolled", () => {
    const command = Array.from({ length: 40 }, (_, at) => `step ${at}`).join("\n");
    const view = askingView([["a prompt", "an answer"]], { name: "bash", input: { command }, notices: [] });
    const end = after(afterPause(asked, { ...VIEWED, view }), ...Array(60).fill(key("ArrowDown"))).model;
    expect(screen(end)).toContain("step 39");
    expect(screen(after(end, key("ArrowUp")).model)).not.toContain("step 39");
  });

  test("keeps its keys after a key that changes neither the field nor the place", () => {
    const model = afterPause(asked, VIEWED);
    for (const name of ["ArrowLeft", "Home", "PageUp", "F2", "Ctrl+L"])
      expect(answer(after(model, key(name)).model)).toEqual(ALLOWED);
  });

  test("has no keys while a row has the focus, says that Tab goes to it, and Tab does", () => {
    const moving = after(afterPause(asked, VIEWED), key("Escape")).model;
    expect(moving.state).toBe("moving");
    expect(answer(moving)).toEqual([]);
    expect(screen(moving)).toContain(WAITS);
    const back = after(moving, key("Tab")).model;
    expect(screen(back)).toContain("y allow");
    expect(answer(back)).toEqual(ALLOWED);
  });

  test("loses its keys when something is typed, and has them again a moment after the field is empty", () => {
    const typing = after(afterPause(asked, VIEWED), key("o")).model;
    expect(screen(typing)).toContain(WAITS);
    const emptied = after(typing, key("Backspace"));
    expect(answer(emptied.model)).toEqual([]);
    expect(answer(afterPause(typing, key("Backspace")))).toEqual(ALLOWED);
  });

  test("that comes while a place is open is named there, and has its keys a moment after the place closes", () => {
    const open = after(afterPause(asked, { type: "open", name: "threads", about: {} }), VIEWED).model;
    expect(screen(open)).toContain("A question waits");
    expect(answer(open)).toEqual([]);
    const closed = after(open, key("Escape"));
    expect(screen(closed.model)).toContain(WAITS);
    expect(answer(closed.model)).toEqual([]);
    expect(answer(afterPause(open, key("Escape")))).toEqual(ALLOWED);
  });

  test("that another process asks is said to be asked there, and offers no keys", () => {
    const decided = after(afterPause(asked, VIEWED), key("y"));
    const tag = { for: "decided", call: CALL } as const;
    const { model } = after(decided.model, { type: "failed", tag, code: "not-found", message: "" }, key("Tab"));
    expect(screen(model)).toContain("asked in another terminal");
    expect(screen(model)).not.toContain("y allow");
    expect(answer(afterPause(model, key("x"), key("Backspace")))).toEqual([]);
  });

  test("that a place covered for a while is not answered by a key in the moment when the place closes", () => {
    const covered = afterPause(asked, VIEWED, { type: "open", name: "threads", about: {} });
    expect(answer(after(covered, key("Escape")).model)).toEqual([]);
  });
});
