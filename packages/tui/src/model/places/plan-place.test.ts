import { expect, test } from "vitest";
import { after, calls, key, screen } from "../../testing/drive.ts";
import { modelOf, talkedView } from "../../testing/talked-view.ts";
import type { Event } from "../effect.ts";
import type { Model } from "../model.ts";

const MARKED = "<<<<<<< on disk\nmine\n=======\nbefore\n>>>>>>> restored\n";

const text = (content: string) => ({ kind: "file", content });

/** A plan with two files in conflict. */
function plan(plan_id = "p1", mine = "mine\n"): object {
  const sides = { mine: text("mine\n"), theirs: text("before\n"), merged: text(MARKED) };
  const conflicts = ["a.txt", "b.txt"].map((path) => ({ path, kind: "overlap", sides }));
  const [a, b] = conflicts;
  return { description: "Undo", plan_id, conflicts: [{ ...a, sides: { ...sides, mine: text(mine) } }, b] };
}

/** The preview of an undo that is in conflict in two files. */
function conflicting(): Model {
  return answered(after(modelOf(talkedView([["a prompt", "an answer"]])), key("Escape"), key("u")), plan()).model;
}

/** The answer to the last call, which is a dry run or a change. */
function answered({ model, effects }: ReturnType<typeof after>, answer: object) {
  const call = effects.findLast((effect) => effect.kind === "call");
  if (call?.kind !== "call") throw new Error("no call");
  return after(model, { type: "answered", tag: call.tag, answer });
}

test("Ctrl+Z three times undoes three steps, each planned on what the one before left", () => {
  const PLAN = [["undo", { steps: 1, dry_run: true, detail: true }]];
  const DO = [["undo", { steps: 1, plan_id: "p1" }]];
  const undo = { description: "Undo", plan_id: "p1" };
  const keys = ["Ctrl+Z", "Ctrl+Z", "Ctrl+Z"].map(key);
  let at = after(modelOf(talkedView([["a prompt", "an answer"]])), ...keys);
  for (const _ of keys) {
    expect(calls(at.effects)).toEqual(PLAN);
    const asked = answered(at, undo);
    expect(calls(asked.effects)).toEqual(DO);
    at = answered(asked, { op_id: "op", ...undo });
  }
  expect(calls(at.effects)).toEqual([]);
  expect(calls(after(at.model, key("Ctrl+Z")).effects)).toEqual(PLAN);
});

test("a step that cannot be undone ends those that wait after it", () => {
  const asked = after(modelOf(talkedView([["a prompt", "an answer"]])), key("Ctrl+Z"), key("Ctrl+Z"));
  const { model, effects } = answered(asked, { message: "There is nothing to undo." });
  expect(calls(effects)).toEqual([]);
  expect(model).toMatchObject({ quick: undefined, toast: { text: "There is nothing to undo." } });
});

test("[U6] a plan that is looked at ignores Ctrl+Z and Ctrl+Y", () => {
  const model = conflicting();
  for (const name of ["Ctrl+Z", "Ctrl+Y"]) {
    const pressed = after(model, key(name));
    expect(pressed.effects).toEqual([]);
    expect(pressed.model.places).toEqual(model.places);
  }
});

test("[X1] [B7] a take is deleted by a plan whose conflicts are decided, and its list stays open", () => {
  const take = { id: "other", name: "other", base_name: "other", active: false, entries: 2 };
  const listed: Event = { type: "answered", tag: { for: "list", name: "takes", about: {} }, answer: { takes: [take] } };
  const opened = after(
    modelOf(talkedView([["a prompt", "an answer"]])),
    { type: "open", name: "takes", about: {} },
    listed,
  );
  const asked = after(opened.model, key("d"));
  expect(calls(asked.effects)).toEqual([["deleteTake", "other", { dry_run: true, detail: true }]]);
  const shown = answered(asked, plan());
  expect(shown.model.places.at(-1)).toMatchObject({ kind: "plan", request: { title: "Delete other" } });
  const decided = after(shown.model, key("2"), key("1"), key("Enter"));
  const resolutions = [{ path: "a.txt", use: "theirs" }, MINE];
  expect(calls(decided.effects)).toEqual([["deleteTake", "other", { plan_id: "p1", resolutions }]]);
  const done = answered(decided, { op_id: "op", description: "Delete other" });
  expect(done.model).toMatchObject({
    places: [{ kind: "list", name: "takes" }],
    toast: { text: "Delete other · Ctrl+Z takes it back" },
  });
  expect(calls(done.effects)).toEqual([["listTakes", {}]]);
});

test("after an undo in moving the row keeps the focus", () => {
  const opened = after(modelOf(talkedView([["a prompt", "an answer"]])), key("Escape"), key("u"));
  const asked = answered(opened, { description: "Undo", plan_id: "p1" });
  const done = answered(after(asked.model, key("Enter")), { op_id: "op", description: "Undo" });
  expect(done.model).toMatchObject({ state: "moving", places: [] });
});

const edited = (text: string): Event => ({ type: "edited", tag: { for: "resolution", path: "a.txt" }, text });

test.each([
  ["an editor that is left without a change", MARKED, "was not edited"],
  ["a text that still holds markers", `more\n${MARKED}`, "still holds conflict markers"],
])("[X1] %s decides no conflict, and the screen says so", (_, content, said) => {
  const opened = after(conflicting(), key("e"));
  expect(opened.effects).toMatchObject([{ kind: "edit", text: MARKED }]);
  const { model } = after(opened.model, edited(content));
  expect(model.toast?.text).toContain(said);
  expect(model.places.at(-1)).toMatchObject({ decisions: new Map() });
  expect(calls(after(model, key("Enter")).effects)).toEqual([]);
});

test("[X1] a text without markers decides its conflict, and the next one has the focus", () => {
  const { model } = after(conflicting(), edited("both\n"));
  const done = after(model, key("1"), key("Enter"));
  expect(calls(done.effects)).toEqual([["undo", { turns: 1, plan_id: "p1", resolutions: [BOTH, MINE] }]]);
});

const BOTH = { path: "a.txt", use: { content: "both\n" } };
const MINE = { path: "b.txt", use: "mine" };

/** Both conflicts are decided, and the plan is refused because something changed. */
function refused(): ReturnType<typeof after> {
  const { model, effects } = after(conflicting(), edited("both\n"), key("1"), key("Enter"));
  const call = effects.find((effect) => effect.kind === "call");
  if (call?.kind !== "call") throw new Error("no call");
  return after(model, { type: "failed", tag: call.tag, code: "stale-plan", message: "stale" });
}

test("[X1] a file that changed after its decision is decided again, and the screen says so; others stay decided", () => {
  const { model } = answered(refused(), plan("p2", "changed since\n"));
  expect(model.toast?.text).toContain("a.txt changed after your decision");
  expect(calls(after(model, key("Enter")).effects)).toEqual([]);
  const again = after(model, key("2"), key("Enter"));
  const resolutions = [{ path: "a.txt", use: "theirs" }, MINE];
  expect(calls(again.effects)).toEqual([["undo", { turns: 1, plan_id: "p2", resolutions }]]);
});

test("[X1] decisions stay where something else changed", () => {
  const { model } = answered(refused(), plan("p2"));
  const again = after(model, key("Enter"));
  expect(calls(again.effects)).toEqual([["undo", { turns: 1, plan_id: "p2", resolutions: [BOTH, MINE] }]]);
});

test("[X1] a text that was written by hand is edited again after another version was chosen, and where the file changed", () => {
  const decided = after(conflicting(), edited("both\n"), key("k"), key("1"), key("k"), key("e"));
  expect(decided.effects.at(-1)).toMatchObject({ kind: "edit", text: "both\n" });
  const marked = after(conflicting(), edited(`more\n${MARKED}`), key("e"));
  expect(marked.effects.at(-1)).toMatchObject({ kind: "edit", text: `more\n${MARKED}` });
  const changed = after(answered(refused(), plan("p2", "changed since\n")).model, key("e"));
  expect(changed.effects.at(-1)).toMatchObject({ kind: "edit", text: "both\n" });
});

test("[X1] both versions with markers are not offered for a file that cannot hold them", () => {
  const binary = { kind: "file", encoding: "base64", content: "AA==" };
  const conflicts = [{ path: "a.bin", kind: "binary", sides: { mine: binary, theirs: binary, merged: null } }];
  const asked = after(modelOf(talkedView([["a prompt", "an answer"]])), key("Escape"), key("u"));
  const { model } = after(answered(asked, { description: "Undo", plan_id: "p1", conflicts }).model, key("3"));
  expect(model.toast?.text).toContain("cannot hold both versions");
  expect(calls(after(model, key("Enter")).effects)).toEqual([]);
});

test.each([
  [{ taken_back_by: "undo" }, "Ctrl+Z takes it back"],
  [{ taken_back_by: "undo-step" }, "Ctrl+Z takes it back"],
  [{ taken_back_by: "undo", taken_back_with: { turns: 1, scope: "files" } }, "/undo --scope files takes it back"],
  [{ taken_back_by: "undo", taken_back_with: { turns: 2, keep_prompt: true } }, "/undo 2 --keep-prompt takes it back"],
  [{ taken_back_by: "undo-step", taken_back_with: { steps: 2 } }, "/undo 2 --step takes it back"],
  [{ taken_back_by: "jump", taken_back_with: { op: "op-9^" } }, "/jump op-9^ takes it back"],
] as const)("a redo that is taken back by %j says so with the keys or the command for it", (way, said) => {
  const asked = after(modelOf(talkedView([["a prompt", "an answer"]])), key("Ctrl+Y"));
  const [request] = asked.effects.flatMap((effect) =>
    effect.kind === "call" && effect.tag.for === "plan" ? [effect.tag.request] : [],
  );
  if (!request) throw new Error("no dry run");
  const answer = { op_id: "op-9", version: 9, description: "Redo", ...way };
  const { model } = after(asked.model, { type: "answered", tag: { for: "done", request }, answer });
  expect(model.toast?.text).toBe(`Redo · ${said}`);
});

test("a plan scrolls up at once, however far down was scrolled", () => {
  const files = Array.from({ length: 60 }, (_, at) => ({ path: `file-${at}.txt`, became: "restored" }));
  const asked = after(modelOf(talkedView([["a prompt", "an answer"]])), key("Escape"), key("u"));
  const end = after(answered(asked, { description: "Undo", plan_id: "p1", files }).model, ...Array(20).fill(key(" ")));
  expect(screen(end.model)).toContain("file-59.txt");
  expect(screen(after(end.model, key("ArrowUp")).model)).not.toContain("file-59.txt");
});

test("a side of a conflict that has no room says how many lines it goes on", () => {
  const model = { ...conflicting(), size: { columns: 80, rows: 60 } };
  expect(screen(model)).not.toContain("more lines");
  const long = Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join("");
  const asked = after(modelOf(talkedView([["a prompt", "an answer"]]), 80, 60), key("Escape"), key("u"));
  expect(screen(answered(asked, plan("p1", long)).model)).toMatch(/ {2}line 11\n {3}… 88 more lines/);
});

test("a step back leaves the row that has the focus on the screen", () => {
  const talk = Array.from({ length: 30 }, (_, at) => [`prompt ${at}`, `answer ${at}`] as const);
  const up = after(modelOf(talkedView(talk)), key("Escape"), ...Array(20).fill(key("K"))).model;
  expect(screen(up)).toContain("prompt 10");
  for (const name of ["Ctrl+Z", "Ctrl+Y", "x"]) {
    const planned = answered(after(up, key(name)), { description: "Edit", plan_id: "p1" });
    const carriedOut = answered(name === "x" ? after(planned.model, key("Enter")) : planned, { op_id: "op" });
    expect(screen(carriedOut.model)).toContain("prompt 10");
  }
  const typing = answered(after(up, key("Tab"), key("Ctrl+Z")), { description: "Edit", plan_id: "p1" });
  expect(screen(answered(typing, { op_id: "op" }).model)).toContain("prompt 29");
});
