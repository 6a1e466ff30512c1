import { describe, expect, test } from "vitest";
import { changeSetting } from "../operations/change-settings.ts";
import { editEntry, showAllEntries } from "../operations/edit-entry.ts";
import { insertEntry, removeEntry } from "../operations/insert-entry.ts";
import { resetSession } from "../operations/reset-session.ts";
import { switchTake } from "../operations/take.ts";
import { startTurn } from "../operations/turn.ts";
import { clearEntries } from "../operations/whole-conversation.ts";
import { activeTake, entryAt, liveTakes, setting, tree } from "../session/view.ts";
import { visible, World } from "../testing/world.ts";
import { branch } from "./branch.ts";
import { canRedo, canUndo } from "./list.ts";
import { planUndo } from "./undo-plan.ts";

describe("undo", () => {
  test("[U1] [H4] takes back the last turn: its entries and its files, together", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    const before = visible(world.state);
    world.turn("two", "2", "tree-2");
    const plan = planUndo(world.history);
    expect(plan).toMatchObject({
      kind: "plan",
      turns_undone: 1,
      messages_removed: 2,
      original_user_text: "two",
      files: new Map([["t1", [{ before: "tree-1", after: "tree-2" }]]]),
    });
    world.undo();
    expect(world.contents()).toEqual(["one", "1"]);
    expect(tree(world.state, "t1")).toBe("tree-1");
    expect(setting(world.state, "t1", "draft")).toBe("two");
    world.undo({ steps: true, count: 1 });
    expect(before).toBeDefined();
  });

  test("[U2] undoes as many turns as exist, and says so when there are none", () => {
    const world = new World();
    expect(world.undo()).toEqual({ kind: "nothing", message: "Nothing to undo" });
    world.turn("one");
    world.turn("two");
    const plan = planUndo(world.history, { count: 99 });
    expect(plan).toMatchObject({ turns_undone: 2, original_user_text: "one" });
    world.undo({ count: 99 });
    expect(world.contents()).toEqual([]);
  });

  test("[U2] [H4] goes back to before a turn, also where an undone revert brings a turn back on the way", () => {
    const world = new World();
    world.turn("zero", "0", "tree-0");
    const before = world.contents();
    const turns = ["one", "two", "three"].map((prompt, index) => world.turn(prompt, `${index}`, `tree-${index + 1}`));
    const [first = "", second = ""] = turns;
    world.revert({ operation: world.startOf(second) });
    const undone = world.undo({ until: world.startOf(first) });
    expect(undone).toMatchObject({ description: "Undo 4 steps" });
    expect([world.contents(), tree(world.state, "t1")]).toEqual([before, "tree-0"]);
    world.redo();
    expect(world.contents()).toEqual(["zero", "0", "one", "0", "three", "2"]);
  });

  test("[H4] goes back to before no turn that is not in force, or further back than undo reaches", () => {
    const world = new World();
    const [first, second] = [world.turn("one"), world.turn("two")];
    world.must(changeSetting(world.state, world.context(), { field: "undo_depth", value: 2 }));
    expect(planUndo(world.history, { until: world.startOf(first) })).toMatchObject({ code: "nothing-to-do" });
    expect(planUndo(world.history, { until: world.startOf(second) })).toMatchObject({ kind: "plan", turns_undone: 1 });
    world.undo();
    expect(planUndo(world.history, { until: world.startOf(second) })).toMatchObject({ code: "nothing-to-do" });
    expect(planUndo(world.history, { until: "none" })).toMatchObject({ code: "nothing-to-do" });
  });

  test("[U3] the prompt stays as an entry, or becomes the draft unless the user has begun another", () => {
    const world = new World();
    world.turn("one");
    world.undo({ keep_prompt: true });
    expect(world.contents()).toEqual(["one"]);
    expect(setting(world.state, "t1", "draft")).toBe("");
    world.turn("two");
    world.must(changeSetting(world.state, world.context(), { field: "draft", value: "my next idea" }));
    world.undo();
    expect(setting(world.state, "t1", "draft")).toBe("my next idea");
  });

  test("[U4] [H5] later changes stay: settings, other entries, edits of earlier entries", () => {
    const world = new World();
    world.turn("one", "1");
    const first = entryAt(world.state, "t1", 0)?.id ?? "";
    world.turn("two", "2");
    const answer = entryAt(world.state, "t1", 3)?.id ?? "";
    world.must(editEntry(world.state, world.context(), { entry: answer, content: "edited answer" }));
    world.must(editEntry(world.state, world.context(), { entry: first, content: "edited prompt" }));
    world.must(changeSetting(world.state, world.context(), { field: "temperature", value: 1 }));
    world.must(insertEntry(world.state, world.context(), { entry: { id: "note", content: "a note" } }));
    world.undo();
    expect(world.contents()).toEqual(["edited prompt", "1", "a note"]);
    expect(setting(world.state, "t1", "temperature")).toBe(1);
    world.redo();
    expect(world.contents()).toEqual(["edited prompt", "1", "two", "edited answer", "a note"]);
  });

  test("[S4] [H3] takes a step back exactly, and an undo is no step of its own", () => {
    const world = new World();
    world.turn("one");
    const states = [visible(world.state)];
    const entry = entryAt(world.state, "t1", 1)?.id ?? "";
    world.must(editEntry(world.state, world.context(), { entry, content: "edited" }));
    states.push(visible(world.state));
    world.must(showAllEntries(world.state, world.context(), { collapsed: true }));
    states.push(visible(world.state));
    world.must(removeEntry(world.state, world.context(), { entry }));
    for (const state of states.reverse()) {
      world.undo({ steps: true });
      expect(visible(world.state)).toEqual(state);
    }
    for (let index = 0; index < 3; index += 1) world.redo();
    expect(world.contents()).toEqual(["one"]);
    expect(canRedo(world.history)).toBe(false);
  });

  test("[S4] a burst of typing is one step; a pause, another field or another person begins a new one", () => {
    const world = new World();
    const type = (value: string, after: number, more = {}) => {
      world.now += after - 2000;
      world.must(changeSetting(world.state, world.context(more), { field: "draft", value, typing: true }));
    };
    type("h", 2000);
    type("he", 100);
    type("hel", 900);
    type("hell", 1000);
    type("hello", 100);
    type("hello!", 100, { actor: { kind: "hook" } });
    const seen = [];
    while (canUndo(world.history)) {
      world.undo({ steps: true });
      seen.push(setting(world.state, "t1", "draft"));
    }
    expect(seen).toEqual(["hello", "hel", ""]);
  });

  test("[S6] one undo after a reset brings everything back, in all takes", () => {
    const world = new World();
    world.turn("one");
    world.turn("two");
    world.must(branch(world.history, world.context(), { entry: entryAt(world.state, "t1", 1)?.id ?? "", take: "t2" }));
    world.turn("other");
    world.must(changeSetting(world.state, world.context(), { field: "temperature", value: 1 }));
    const before = visible(world.state);
    world.must(resetSession(world.state, world.context()));
    expect(world.contents("t1")).toEqual([]);
    expect(world.contents("t2")).toEqual([]);
    world.undo();
    expect(visible(world.state)).toEqual(before);
    world.redo();
    expect(world.contents("t1")).toEqual([]);
  });

  test("[A7] undoing a branch by a step removes its take, and redo brings it back", () => {
    const world = new World();
    world.turn("one");
    world.turn("two");
    const before = visible(world.state);
    world.must(branch(world.history, world.context(), { entry: entryAt(world.state, "t1", 1)?.id ?? "", take: "t2" }));
    world.turn("three");
    const after = visible(world.state);
    world.undo({ steps: true });
    world.undo({ steps: true });
    expect(visible(world.state)).toMatchObject({ ...(before as object) });
    world.redo(2);
    expect(visible(world.state)).toEqual(after);
    expect(liveTakes(world.state).map((take) => take.name)).toEqual(["main", "main_take_1"]);
  });

  test("[U1] in a branch, undoing an inherited turn leaves it in the source", () => {
    const world = new World();
    world.turn("one");
    world.turn("two");
    world.must(branch(world.history, world.context(), { entry: entryAt(world.state, "t1", 3)?.id ?? "", take: "t2" }));
    world.undo({ count: 2 });
    expect(world.contents("t2")).toEqual([]);
    expect(world.contents("t1")).toEqual(["one", "answer to one", "two", "answer to two"]);
    world.redo();
    expect(world.contents("t2")).toHaveLength(4);
    world.must(switchTake(world.state, world.context(), { take: "t1" }));
    world.undo();
    expect(world.contents("t1")).toEqual(["one", "answer to one"]);
    expect(activeTake(world.state)).toBe("t1");
  });

  test("[H6] skips an edit whose entry went with its turn", () => {
    const world = new World();
    world.must(changeSetting(world.state, world.context(), { field: "temperature", value: 1 }));
    world.turn("one");
    const answer = entryAt(world.state, "t1", 1)?.id ?? "";
    world.must(editEntry(world.state, world.context(), { entry: answer, content: "edited" }));
    world.undo();
    world.undo({ steps: true });
    expect(setting(world.state, "t1", "temperature")).toBe(0);
    expect(world.undo({ steps: true })).toMatchObject({ kind: "nothing" });
  });

  test("[H4] cleared entries come back before entries that were added later", () => {
    const world = new World();
    world.turn("one");
    world.must(clearEntries(world.state, world.context()));
    world.must(insertEntry(world.state, world.context(), { entry: { id: "later", content: "later" } }));
    world.undo();
    expect(world.contents()).toEqual(["one", "answer to one", "later"]);
  });

  test("undoes only the files, then the conversation; redo brings both back", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    world.undo({ scope: "files" });
    expect(tree(world.state, "t1")).toBe("tree-0");
    expect(world.contents()).toEqual(["one", "1"]);
    world.undo();
    expect(world.contents()).toEqual([]);
    expect(world.undo()).toMatchObject({ kind: "nothing" });
    world.redo(2);
    expect(world.contents()).toEqual(["one", "1"]);
    expect(tree(world.state, "t1")).toBe("tree-1");
  });

  test("[H13] an undo that leads into a take with a running turn leaves the turn alone, and a jump is refused", () => {
    const world = new World();
    world.turn("one");
    const entry = entryAt(world.state, "t1", 1)?.id ?? "";
    world.must(branch(world.history, world.context(), { entry, take: "t2" }));
    const back = world.must(switchTake(world.state, world.context(), { take: "t1" }));
    world.must(startTurn(world.state, world.context(), { turn_id: "run", prompt: { id: "p", content: "go" } }));
    world.must(branch(world.history, world.context(), { entry, take: "t3" }));
    expect(world.jump(back.id)).toMatchObject({ kind: "refused", code: "agent-running" });
    expect(world.undo({ steps: true, count: 2 })).toMatchObject({ undoes: [{ scope: "both" }] });
    expect([activeTake(world.state), world.contents()]).toEqual(["t1", ["one", "answer to one", "go"]]);
  });

  test("[H13] while a turn runs, only later steps can be undone", () => {
    const world = new World();
    world.turn("one");
    world.must(startTurn(world.state, world.context(), { turn_id: "run", prompt: { id: "p", content: "go" } }));
    expect(world.undo()).toMatchObject({ kind: "refused", code: "agent-running" });
    world.must(changeSetting(world.state, world.context(), { field: "draft", value: "next" }));
    world.undo({ steps: true });
    expect(setting(world.state, "t1", "draft")).toBe("");
    expect(world.undo({ steps: true })).toMatchObject({ kind: "refused", code: "agent-running" });
  });
});
