import type { RetakeEvent } from "@retake/client";
import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { lineWidth } from "../draw/line.ts";
import { viewOf } from "../screens/view-of.ts";
import { after, calls, key, screen, typed } from "../testing/drive.ts";
import { modelOf, talkedView, viewed } from "../testing/talked-view.ts";
import { lastSave } from "./draft.ts";
import type { Event } from "./effect.ts";
import type { Model } from "./model.ts";
import { update } from "./update.ts";

const TALK = [
  ["first prompt", "A **bold** answer with `code`.\n\n```ts\nconst x = 1; // note\n```"],
  ["second prompt 世界", "- one\n- two 👩‍👩‍👧"],
] as const;

describe("update", () => {
  test("Enter sends a prompt, and begins a thread where there is none", () => {
    const sent = after(modelOf(talkedView(TALK)), ...typed("do it"), key("Enter"));
    expect(calls(sent.effects)).toContainEqual(["startTurn", { prompt: "do it" }]);
    expect(sent.model.composer.text).toBe("");
    const begun = after(modelOf(undefined), ...typed("do it"), key("Enter"));
    expect(begun.effects).toContainEqual({ kind: "begin", prompt: "do it", options: {} });
  });

  test("a paste of many lines is one text and sends nothing", () => {
    const { model, effects } = after(modelOf(talkedView(TALK)), { type: "paste", text: "one\nrun rm -rf b\n" });
    expect(model.composer.text).toBe("one\nrun rm -rf b\n");
    expect(calls(effects)).toEqual([]);
  });

  test("Ctrl+Z takes back the field's own edits first, then a step of the thread", () => {
    const typing = after(modelOf(talkedView(TALK)), ...typed("abc"), key("Ctrl+Z"));
    expect(typing.model.composer.text).toBe("");
    expect(calls(typing.effects)).toEqual([]);
    const { effects } = after(typing.model, key("Ctrl+Z"));
    expect(calls(effects)).toEqual([["undo", { steps: 1, dry_run: true, detail: true }]]);
  });

  test("a plan without a surprise is carried out at once; one with a conflict is shown first", () => {
    const asked = after(modelOf(talkedView(TALK)), key("Ctrl+Z"));
    const plan = asked.effects.find((effect) => effect.kind === "call");
    if (plan?.kind !== "call") throw new Error("no dry run");
    const quick = {
      op_id: null,
      version: 1,
      description: "Undo",
      plan_id: "p1",
      files: [{ path: "a", became: "restored" }],
      conflicts: [],
    };
    expect(calls(after(asked.model, { type: "answered", tag: plan.tag, answer: quick }).effects)).toEqual([
      ["undo", { steps: 1, plan_id: "p1" }],
    ]);
    const conflicting = { ...quick, conflicts: [{ path: "a", kind: "overlap" }] };
    const shown = after(asked.model, { type: "answered", tag: plan.tag, answer: conflicting });
    expect(shown.effects).toEqual([]);
    expect(screen(shown.model)).toContain("nothing has changed yet");
    const undecided = after(shown.model, key("Enter"));
    expect(calls(undecided.effects)).toEqual([]);
    const decided = after(shown.model, key("2"), key("Enter"));
    expect(calls(decided.effects)).toEqual([
      ["undo", { steps: 1, plan_id: "p1", resolutions: [{ path: "a", use: "theirs" }] }],
    ]);
  });

  test("Esc goes to moving, Esc Esc to the list of turns, and while a turn runs stops it", () => {
    const once = after(modelOf(talkedView(TALK)), key("Escape"));
    expect(once.model.state).toBe("moving");
    expect(after(once.model, key("Escape")).model.places).toMatchObject([{ kind: "list", name: "turns" }]);
    const running = after(modelOf(talkedView(TALK, true)), key("Escape"));
    expect(running.model.toast?.text).toBe("Esc again stops the turn.");
    expect(calls(after(running.model, key("Escape")).effects)).toEqual([["interruptTurn", "turn2", {}]]);
  });

  test("a second Esc stops the turn only while the screen says so", () => {
    const once = after(modelOf(talkedView(TALK, true)), key("Escape")).model;
    const wheel: Event = { type: "mouse", action: "wheel-up", row: 3, column: 3 };
    const started = { type: "turn-started", turn_id: "turn2" } as unknown as RetakeEvent;
    for (const between of [
      wheel,
      { type: "toast-over", text: "Esc again stops the turn." } as const,
      { type: "told", event: started } as const,
    ]) {
      const { model, effects } = after(once, between, key("Escape"));
      expect(calls(effects)).toEqual([]);
      expect(model.toast?.text).toBe("Esc again stops the turn.");
    }
  });

  test("Ctrl+C clears, then asks, then leaves", () => {
    const cleared = after(modelOf(talkedView(TALK)), ...typed("x"), key("Ctrl+C"));
    expect(cleared.model.composer.text).toBe("");
    const asked = after(cleared.model, key("Ctrl+C"));
    expect(asked.effects.map(({ kind }) => kind)).not.toContain("quit");
    expect(after(asked.model, key("Ctrl+C")).effects.map(({ kind }) => kind)).toContain("quit");
  });

  test("a turn of another process is stopped there, and a second Ctrl+C always leaves", () => {
    const stopping = after(modelOf(talkedView(TALK, true)), key("Ctrl+C"));
    expect(calls(stopping.effects)).toEqual([["interruptTurn", "turn2", {}]]);
    const tag = { for: "interrupted", thread: "T-1" } as const;
    const { effects } = after(stopping.model, { type: "failed", tag, code: "no-such-turn", message: "" });
    expect(effects).toMatchObject([{ name: "stopTurns", args: [{ workspace: "/home/hello", thread: "T-1" }] }]);
    expect(after(stopping.model, key("Ctrl+C")).effects.map(({ kind }) => kind)).toContain("quit");
  });

  test("[F64] a refusal names commands as they are typed here", () => {
    const message = "The agent is working. Stop it (retake stop) or wait until it is done.";
    const refused = { type: "failed", tag: { for: "nothing" }, code: "agent-running", message } as const;
    const { model } = after(modelOf(talkedView(TALK, true)), refused);
    expect(model.toast?.text).toBe("The agent is working. Stop it (/stop) or wait until it is done.");
  });

  test("[F66] a narrow screen shows how a step is taken back: what is said is wrapped", () => {
    const text = "Redo: Turn: write a long file name.txt: one (1 turn, 4 entries, 1 file) · Ctrl+Z takes it back";
    const { model } = after(modelOf(talkedView(TALK), 40, 12), { type: "said", text, tone: "plain" });
    expect(screen(model)).toContain("Ctrl+Z takes it back");
  });

  test("j, k, J and K go through rows and turns; x takes back the turn of a row", () => {
    const { model } = after(modelOf(talkedView(TALK)), key("Escape"), key("K"), key("K"));
    expect(model.focus).toContain("turn1");
    expect(calls(after(model, key("x")).effects)).toEqual([["revert", { turn: "#1", dry_run: true, detail: true }]]);
    expect(calls(after(model, key("b")).effects)).toEqual([["branch", { entry: "#1", dry_run: true, detail: true }]]);
  });

  test("[F28] a draft that an undo gives back comes into the field; what is typed stays", () => {
    const view = talkedView(TALK);
    const withDraft = (draft: string) => viewed(view, draft);
    expect(after(modelOf(view), withDraft("given")).model.composer.text).toBe("given");
    expect(after(modelOf(view), ...typed("mine"), withDraft("given")).model.composer.text).toBe("mine");
    expect(after(modelOf(view), withDraft("given"), withDraft("")).model.composer.text).toBe("");
  });

  const view = talkedView(TALK, true);
  const begun = after(modelOf(undefined), viewed(view, ""), ...typed("my next prompt")).model;
  const main = { thread: view.thread, id: view.take };
  const saved = (draft: string) => ["changeSettings", { draft, take: view.take, typing: true }];

  test("[S2] the field keeps its text while a turn streams and the draft is being saved, also if the save fails", () => {
    const saving = after(begun, { type: "draft-quiet" });
    expect(calls(saving.effects)).toEqual([saved("my next prompt")]);
    // Every streamed word is a view; the record has the text only later.
    const streamed = after(saving.model, viewed(view, ""), viewed(view, "")).model;
    expect(streamed.composer.text).toBe("my next prompt");
    const more = after(streamed, ...typed("!"), viewed(view, "")).model;
    expect(more.composer.text).toBe("my next prompt!");
    const tag = { for: "draft", take: main } as const;
    const done = after(more, { type: "answered", tag, answer: { version: view.state.version + 2 } }, viewed(view, ""));
    expect(done.model.composer.text).toBe("my next prompt!");
    expect(calls(after(done.model, { type: "draft-quiet" }).effects)).toEqual([saved("my next prompt!")]);
    const failed = after(more, { type: "failed", tag, code: "unreachable", message: "" }, viewed(view, ""));
    expect(failed.model.composer.text).toBe("my next prompt!");
    const back = after(failed.model, { type: "connection", connected: true });
    expect(calls(back.effects)).toEqual([saved("my next prompt!")]);
  });

  test("[S2] [U6] no draft is saved while a plan is open, because that would make the plan stale", () => {
    const planning = after({ ...begun, thread: view.thread }, key("Escape"), key("u")).model;
    const waiting = after(planning, { type: "draft-quiet" });
    expect(waiting.effects).toEqual([expect.objectContaining({ kind: "after", id: "draft" })]);
    const left = after(waiting.model, key("Escape"), { type: "draft-quiet" });
    expect(calls(left.effects)).toEqual([saved("my next prompt")]);
  });

  test("[S9] the end of the screen saves the words, also while a plan is open or a save is on its way", () => {
    const { model } = after(
      { ...begun, thread: view.thread },
      { type: "draft-quiet" },
      ...typed("!"),
      key("Escape"),
      key("u"),
    );
    expect(calls(lastSave(model).effects)).toEqual([saved("my next prompt!")]);
  });

  test("an error is not shown beside a connection that is there again", () => {
    const lost = after(
      begun,
      { type: "connection", connected: false },
      { type: "said", text: "No answer.", tone: "error" },
    );
    expect(after(lost.model, { type: "connection", connected: true }).model.toast).toBeUndefined();
  });

  test("[S2] [X6] words that are not saved when the take changes are saved in the take that was left", () => {
    const switched = after(begun, viewed(view, "of the other", { later: 2, take: "other" }));
    expect(switched.model.composer.text).toBe("of the other");
    expect(calls(switched.effects)).toEqual([saved("my next prompt")]);
  });

  test("[S2] a prompt that is queued is the draft no more", () => {
    const stored = after(begun, viewed(view, "my next prompt"), key("Enter"));
    expect(stored.model.composer.text).toBe("");
    expect(calls(after(stored.model, { type: "draft-quiet" }).effects)).toEqual([saved("")]);
    // A turn that begins at once empties it itself.
    expect(calls(after(stored.model, viewed(view, "", { later: 2 }), { type: "draft-quiet" }).effects)).toEqual([]);
  });

  test("the mode of approvals in the status line is asked for again when a question comes and when a turn ends", () => {
    for (const type of ["approval-asked", "turn-finished"]) {
      const event = { type, turn_id: "turn2", call_id: "c1" } as unknown as RetakeEvent;
      const { effects } = after(modelOf(view), { type: "told", event });
      expect(effects).toContainEqual(expect.objectContaining({ kind: "call", name: "getApprovals" }));
    }
  });

  test("a retry says the attempt and counts down", () => {
    const retry = {
      type: "retry",
      seq: "1",
      thread_id: "T-1",
      turn_id: "turn2",
      message: "Too many requests.",
      retry_at: 1_700_000_104_000,
      attempt: 2,
      attempts: 5,
    } as RetakeEvent;
    const { model } = after(modelOf(talkedView(TALK, true)), { type: "told", event: retry });
    expect(screen(model)).toContain("Attempt 2 of 5 in 4 s");
  });
});

describe("every screen", () => {
  const anyKey = fc.constantFrom(
    ...[
      "Escape",
      "Enter",
      "Tab",
      "ArrowUp",
      "ArrowDown",
      "PageUp",
      "PageDown",
      "Ctrl+Z",
      "Ctrl+Y",
      "Ctrl+C",
      "Ctrl+R",
      "Ctrl+X",
      "Ctrl+P",
      "Ctrl+U",
      "Backspace",
    ],
    ..."jkJKgGuUxbeidmcyrhts/?[]np12@ 世".split(""),
  );
  const anyEvent: fc.Arbitrary<Event> = fc.oneof(
    anyKey.map(key),
    fc
      .record({ columns: fc.integer({ min: 30, max: 150 }), rows: fc.integer({ min: 10, max: 50 }) })
      .map((size) => ({ type: "resized" as const, ...size })),
    fc
      .constantFrom("wheel-up" as const, "press" as const, "release" as const)
      .map((action) => ({ type: "mouse" as const, action, row: 3, column: 12 })),
    fc.constant<Event>({ type: "paste", text: "pasted \u001b[2J\n世界" }),
  );

  test("has as many lines as the terminal, none too wide, after any keys, sizes and pastes", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        let model = modelOf(talkedView(TALK));
        for (const event of events) {
          model = after(model, event).model;
          const { lines, cursor } = viewOf(model);
          expect(lines).toHaveLength(model.size.rows);
          for (const each of lines) expect(lineWidth(each)).toBeLessThanOrEqual(model.size.columns);
          if (cursor) expect(cursor.column).toBeLessThan(model.size.columns);
        }
      }),
      cases(60),
    );
  });
});

test("[F71] the status line says what the whole thread has cost, and nothing of another thread", () => {
  const { model, effects } = update(modelOf(undefined), { type: "followed", thread: "T-1" });
  expect(effects).toContainEqual(expect.objectContaining({ kind: "call", name: "getUsage", args: ["T-1"] }));
  const known = (thread: string) =>
    update(model, { type: "answered", tag: { for: "usage", thread }, answer: { cost: 1.5 } }).model.status.cost;
  expect(known("T-1")).toBe(1.5);
  expect(known("T-2")).toBeUndefined();
});

test("Ctrl+R finds an earlier prompt by its letters, in capitals or not", () => {
  const model = { ...modelOf(undefined), prompts: { ...modelOf(undefined).prompts, lines: ["Fix the README"] } };
  const { model: found } = after(model, key("Ctrl+R"), ...typed("readme"), key("Enter"));
  expect(found.composer.text).toBe("Fix the README");
});

test("a paste and Backspace are for the search that Ctrl+R began, and Ctrl+C ends it and keeps the field", () => {
  const paste: Event = { type: "paste", text: "read\nme" };
  const searching = after(modelOf(undefined), ...typed("a draft"), key("Ctrl+R"), paste, ...typed("😀")).model;
  expect(searching.prompts.search).toBe("read me😀");
  expect(after(searching, key("Backspace")).model.prompts.search).toBe("read me");
  const ended = after(searching, key("Ctrl+C"));
  expect(ended.model).toMatchObject({ composer: { text: "a draft" }, prompts: { search: undefined } });
  expect(after(ended.model, key("Ctrl+C"), key("Ctrl+C")).effects).not.toContainEqual({ kind: "quit" });
});

test("[F2] a row that has the focus is on the screen after scrolling, too: keys act on that one", () => {
  const talk = Array.from({ length: 30 }, (_, at) => [`prompt ${at}`, `answer ${at}`] as const);
  const moving = after(modelOf(talkedView(talk)), key("Escape")).model;
  const wheel: Event = { type: "mouse", action: "wheel-up", row: 3, column: 3 };
  const isSeen = (model: Model) =>
    viewOf(model).hits.some(({ action }) => action.kind === "focus" && action.key === model.focus);
  for (const up of [[key("PageUp"), key("PageUp")], [key("Ctrl+U"), key("Ctrl+U")], Array(9).fill(wheel)]) {
    const scrolled = after(moving, ...up).model;
    expect(isSeen(scrolled)).toBe(true);
    expect(isSeen(after(scrolled, key("PageDown"), key("PageDown")).model)).toBe(true);
    expect(after(scrolled, key("Tab"), key("Ctrl+End")).model.focus).toBe(scrolled.focus);
  }
});

describe("what is typed", () => {
  const model = modelOf(talkedView(TALK));

  test("loses no letter after lines were selected; Escape and Ctrl+C leave the selection and nothing else", () => {
    const at = (action: "press" | "drag" | "release", row: number): Event => ({
      type: "mouse",
      action,
      row,
      column: 1,
    });
    const selected = after(model, at("press", 2), at("drag", 4), at("release", 4)).model;
    expect(after(selected, ...typed("hello")).model.composer.text).toBe("hello");
    expect(after(selected, key("y")).effects).toContainEqual({ kind: "copy-rows", from: 2, to: 4 });
    for (const name of ["Escape", "Ctrl+C"])
      expect(after(selected, key(name)).model).toMatchObject({
        selection: undefined,
        state: "typing",
        toast: undefined,
      });
  });

  test("with a letter that is no command, while a row has the focus, is saved and completed as in the field", () => {
    const moving = after({ ...model, thread: "T-1" }, viewed(talkedView(TALK), ""), key("Escape")).model;
    expect(after(moving, key("1")).effects).toContainEqual(expect.objectContaining({ kind: "after", id: "draft" }));
    expect(after(moving, key("@")).effects).toContainEqual(expect.objectContaining({ kind: "files", beginning: "" }));
  });
});
