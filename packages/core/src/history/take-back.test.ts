import { describe, expect, test } from "vitest";
import { changeSetting } from "../operations/change-settings.ts";
import { editEntry } from "../operations/edit-entry.ts";
import { noteFilesEdited } from "../operations/files.ts";
import { insertEntry, removeEntry } from "../operations/insert-entry.ts";
import { resetSession } from "../operations/reset-session.ts";
import { switchTake } from "../operations/take.ts";
import { clearEntries, replaceEntries } from "../operations/whole-conversation.ts";
import { activeTake, entryAt, setting, tree } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { branch } from "./branch.ts";
import { planUndo } from "./undo-plan.ts";

const draft = (world: World) => setting(world.state, activeTake(world.state), "draft");
const type = (world: World, value: string) =>
  world.must(changeSetting(world.state, world.context(), { field: "draft", value }));
const entry = (world: World, index: number) => entryAt(world.state, activeTake(world.state), index)?.id ?? "";
const branchAt = (world: World, index: number, take: string) =>
  world.must(branch(world.history, world.context(), { entry: entry(world, index), take }));

describe("the draft", () => {
  test("[U3] [H7] undoing several turns returns the earliest prompt, and sent drafts are no conflict", () => {
    const world = new World();
    for (const prompt of ["one", "two"]) {
      type(world, prompt);
      world.turn(prompt);
    }
    expect(world.undo({ count: 2 })).toMatchObject({ kind: "undone" });
    expect(draft(world)).toBe("one");
  });

  test("[U3] [H7] a draft that the user has begun stays", () => {
    const world = new World();
    type(world, "one");
    world.turn("one");
    type(world, "another");
    expect(world.undo()).toMatchObject({ kind: "undone" });
    expect(draft(world)).toBe("another");
  });

  test("[U3] the prompt returns, or stays as an entry, when a later clear or reset is undone with its turn", () => {
    for (const whole of [clearEntries, resetSession]) {
      const world = new World();
      world.turn("one");
      world.must(whole(world.state, world.context()));
      world.undo({ count: 2 });
      expect(draft(world)).toBe("one");
      world.redo();
      world.undo({ count: 2, keep_prompt: true });
      expect(world.contents()).toEqual(["one"]);
    }
  });

  test("[U3] undoing only files leaves the prompt part of its turn", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    world.undo({ scope: "files", keep_prompt: true });
    expect(entryAt(world.state, "t1", 0)).toHaveProperty("turn_id");
  });
});

describe("taking back", () => {
  test('[H11] a whole that later changes build on is a conflict, and not "nothing to undo"', () => {
    const world = new World();
    world.must(insertEntry(world.state, world.context(), { entry: { id: "e", content: "A" } }));
    world.must(replaceEntries(world.state, world.context(), { entries: [{ id: "e", content: "B" }] }));
    world.must(editEntry(world.state, world.context(), { entry: "e", content: "C" }));
    expect(world.undo()).toMatchObject({ kind: "refused", code: "conflict" });
    expect(world.contents()).toEqual(["C"]);
  });

  test("[H6] undoing the removal of an entry does not bring it back when its turn is undone", () => {
    const world = new World();
    world.turn("one");
    world.must(removeEntry(world.state, world.context(), { entry: entry(world, 0) }));
    world.undo();
    expect(world.undo({ steps: true })).toMatchObject({ kind: "nothing" });
    expect(world.contents()).toEqual([]);
  });

  test("[H9] undoing N steps at once equals N single undos, also across a revert", () => {
    const worlds = [2, 1].map((count) => {
      const world = new World();
      const made = world.must(insertEntry(world.state, world.context(), { entry: { id: "e", content: "A" } }));
      world.revert({ operation: made.id });
      for (let done = 0; done < 2; done += count) world.undo({ steps: true, count });
      return world.contents();
    });
    expect(worlds).toEqual([[], []]);
  });
});

describe("undo in several takes", () => {
  test("[T1] [H6] a branch holds no turns that began after its point", () => {
    const world = new World();
    world.turn("one");
    world.turn("two");
    branchAt(world, 1, "t2");
    expect(planUndo(world.history)).toMatchObject({ turns_undone: 1, messages_removed: 2, original_user_text: "one" });
  });

  test("[H5] [H16] edits in the entries of a turn go with it, however the turn came back", () => {
    const world = new World();
    world.turn("one", "first answer");
    world.retry();
    const undone = world.undo();

    world.must(editEntry(world.state, world.context(), { entry: entry(world, 1), content: "edited" }));
    expect(world.contents()).toEqual(["one", "edited"]);
    expect(world.revert({ operation: "id" in undone ? undone.id : "" })).toMatchObject({ kind: "reverted" });
    expect(world.contents()).toEqual(["one", "another answer"]);
    world.undo();
    expect(world.contents()).toEqual(["one", "edited"]);
  });

  test("[H2] what a branch undoes together with a reset stays in its source", () => {
    const world = new World();
    world.turn("one");
    branchAt(world, 1, "t2");
    world.must(resetSession(world.state, world.context()));
    world.undo({ count: 2 });
    expect([world.contents("t1").length, world.contents("t2").length]).toEqual([2, 0]);
    world.must(switchTake(world.state, world.context(), { take: "t1" }));
    world.undo();
    expect(world.contents("t1")).toEqual([]);
  });

  test("[H12] jump and undo work across changes of other takes in between", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    branchAt(world, 0, "t2");
    world.must(noteFilesEdited(world.state, world.context(), { tree: "tree-2" }));
    expect(world.jump(world.log[0]?.id ?? "")).toMatchObject({ kind: "jumped" });
    world.undo();
    expect([tree(world.state, "t1"), tree(world.state, "t2")]).toEqual(["tree-1", "tree-2"]);
  });

  test("[A7] undo takes back a turn and the branch it was made in together", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    branchAt(world, 0, "t2");
    world.turn("two", "2", "tree-2");
    expect(world.undo({ steps: true, count: 2 })).toMatchObject({ kind: "undone" });
    expect([activeTake(world.state), tree(world.state, "t1")]).toEqual(["t1", "tree-1"]);
    world.redo();
    expect(world.contents("t2")).toEqual(["one", "two", "2"]);
  });

  test("[H11] a take with later work in it is not removed silently", () => {
    const world = new World();
    world.turn("one");
    branchAt(world, 0, "t2");
    const branched = world.log.at(-1)?.id ?? "";
    world.turn("two");
    world.must(switchTake(world.state, world.context(), { take: "t1" }));
    expect(world.revert({ operation: branched })).toMatchObject({ kind: "refused", code: "conflict" });
    expect(world.contents("t2")).toHaveLength(3);
  });
});
