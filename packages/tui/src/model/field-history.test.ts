import { describe, expect, test } from "vitest";
import { after, calls, key, screen, typed } from "../testing/drive.ts";
import { modelOf, talkedView, viewed } from "../testing/talked-view.ts";
import type { Event } from "./effect.ts";

const model = modelOf(talkedView([["a prompt", "an answer"]]));
const withPrompts = { ...model, prompts: { ...model.prompts, lines: ["an earlier prompt"] } };
const edited: Event = { type: "edited", tag: { for: "composer" }, text: "from the editor" };

const CHANGED = { say: "Changed. Ctrl+Z takes it back." };

describe("the history of the text field", () => {
  test.each<[string, readonly Event[], string]>([
    ["Ctrl+P", [key("Ctrl+P")], "/"],
    ["a prompt that Ctrl+R found", [key("Ctrl+R"), ...typed("earl"), key("Enter")], "an earlier prompt"],
    ["the editor", [edited], "from the editor"],
    ["a prompt that ↑ recalls", [key("ArrowUp")], "an earlier prompt"],
    ["Ctrl+C", [key("Ctrl+C")], ""],
  ])("[F29] has the draft that %s replaced: Ctrl+Z brings it back and undoes nothing else", (_, events, shown) => {
    const replaced = after(withPrompts, ...typed("my draft"), ...events);
    expect(replaced.model.composer.text).toBe(shown);
    const { model: back, effects } = after(replaced.model, key("Ctrl+Z"));
    expect(back.composer.text).toBe("my draft");
    expect(calls(effects)).toEqual([]);
  });

  const UNDO = [["undo", { steps: 1, dry_run: true, detail: true }]];

  test("[F29] is not asked while a row has the focus: Ctrl+Z undoes a step of the thread", () => {
    const moving = after(model, ...typed("my draft"), key("Escape"));
    expect(calls(after(moving.model, key("Ctrl+Z")).effects)).toEqual(UNDO);
    expect(calls(after(moving.model, key("Ctrl+Y")).effects)).toEqual([["redo", { dry_run: true, detail: true }]]);
  });

  test("[F29] ends with a step of the thread that says that Ctrl+Z takes it back", () => {
    const changed: Event = {
      type: "answered",
      tag: { for: "changed", say: "Deleted the entry. Ctrl+Z brings it back." },
      answer: { op_id: "op" },
    };
    const said = after(model, ...typed("my draft"), changed).model;
    expect(said.composer.text).toBe("my draft");
    expect(calls(after(said, key("Ctrl+Z")).effects)).toEqual(UNDO);
  });

  test("[F29] is not promised in a place, where Ctrl+Z is of the thread", () => {
    const cleared = after(model, ...typed("my draft"), key("Ctrl+C"));
    expect(screen(cleared.model)).toContain("Ctrl+Z brings it back");
    const open = after(cleared.model, key("Ctrl+T")).model;
    expect(screen(open)).not.toContain("Ctrl+Z brings it back");
  });

  test("where Ctrl+Z suspends, no text says that it undoes, and a cleared draft comes back with Ctrl+V", () => {
    const suspending = { ...model, ctrlZ: "suspend" } as const;
    const cleared = after(suspending, ...typed("my draft"), key("Ctrl+C")).model;
    expect(screen(cleared)).toContain("Ctrl+V brings it back");
    expect(after(cleared, key("Ctrl+V")).model.composer.text).toBe("my draft");
    const changed: Event = { type: "answered", tag: { for: "changed", ...CHANGED }, answer: { op_id: "op" } };
    expect(screen(after(suspending, changed).model)).toContain("Changed. /undo --step takes it back.");
    const empty = { ...modelOf(undefined), ctrlZ: "suspend" } as const;
    for (const shown of [empty, suspending]) expect(screen(shown)).not.toContain("Ctrl+Z");
    expect(screen(after(suspending, key("?")).model)).toMatch(/Ctrl\+Z, Ctrl\+X Z +suspend/);
  });

  test("[U3] [U8] a slash after a draft came back begins a command, which leaves the draft in the field", () => {
    const view = talkedView([["a prompt", "an answer"]]);
    const given = after(modelOf(view), viewed(view, "a prompt")).model;
    expect(given.composer.text).toBe("a prompt");
    const ran = after(given, ...typed("/redo"), key("Enter"));
    expect(calls(ran.effects)).toEqual([["redo", { dry_run: true, detail: true }]]);
    expect(ran.model.composer.text).toBe("a prompt");
    for (const leave of [key("Escape"), key("Backspace")])
      expect(after(given, key("/"), leave).model.composer.text).toBe("a prompt");
    // Any other key goes on with the text.
    expect(after(given, ...typed(" and/or")).model.composer.text).toBe("a prompt and/or");
    expect(after(given, key("ArrowLeft"), key("/")).model.composer.text).toBe("a promp/t");
  });

  test("[U3] a draft that comes back while the next command is typed is in the field after it, and is not emptied", () => {
    const view = talkedView([["a prompt", "an answer"]]);
    const typing = after(modelOf(view), viewed(view, "", { later: 0 }), ...typed("/hel")).model;
    const { model, effects } = after(typing, viewed(view, "a prompt"), ...typed("p"), key("Enter"), {
      type: "draft-quiet",
    });
    expect(model.composer.text).toBe("a prompt");
    expect(calls(effects)).toEqual([]);
  });

  test("Escape after Ctrl+P, and a command that runs, give the draft back", () => {
    const opened = after(model, ...typed("my draft"), key("Ctrl+P")).model;
    const { model: left } = after(opened, key("Escape"));
    expect(left).toMatchObject({ state: "typing", completion: undefined, composer: { text: "my draft" } });
    expect(after(opened, ...typed("help"), key("Enter")).model.composer.text).toBe("my draft");
    // The draft was given up: the command is a text of its own.
    const own = after(opened, key("Backspace"), ...typed("/help"), key("Enter")).model;
    expect(own.composer.text).toBe("");
  });
});
