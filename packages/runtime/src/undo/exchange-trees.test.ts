import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { activeTake, branch, type ConflictPolicy, deleteTake, entryAt, entryCount, switchTake } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { filesAnswer } from "../answers/files-answer.ts";
import { SharedWorkspace } from "./testing/shared-workspace.ts";
import { putLine, text } from "./testing/word-list.ts";

let shared: SharedWorkspace;
let one: string;
let two: string;
let main: string;
let other: string;

/** Thread one has two takes: `main`, where line 1 is "one", and `other`, where it is not and which is active. */
beforeEach(async () => {
  shared = new SharedWorkspace();
  shared.write("list.txt", text({}));
  one = await shared.workspace.newThread("one");
  two = await shared.workspace.newThread("two");
  await shared.turn(one, "Say hello.");
  await put(one, 1, "one");
  main = takeOf(one);
  await branchAt(one, () => 0);
  other = takeOf(one);
});
afterEach(() => shared.remove());

describe("a take is left while another thread works in the directory", () => {
  test("[X5] [X6] the other thread's change stays, in the take that is left and in the one that comes", async () => {
    await put(two, 9, "nine");
    expect(await switchTo(main)).toMatchObject({ kind: "done", files: { kept: [], conflicts: [] } });
    expect(list()).toBe(text({ 1: "one", 9: "nine" }));
    await put(two, 9, "neun");
    expect(await switchTo(other)).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 9: "neun" }));
    await shared.workspace.undo(two, { count: 2 });
    expect(list()).toBe(text({}));
    await switchTo(main);
    expect(list()).toBe(text({ 1: "one" }));
  });

  test("[X5] it stays also where this thread changed the same file after it", async () => {
    await put(two, 9, "nine");
    await put(one, 5, "five");
    await switchTo(main);
    expect(list()).toBe(text({ 1: "one", 9: "nine" }));
    await switchTo(other);
    expect(list()).toBe(text({ 5: "five", 9: "nine" }));
  });

  test("[X5] it stays when the take is deleted, and when the branch is undone and redone", async () => {
    await put(two, 9, "nine");
    await put(one, 5, "five");
    const deleted = await shared.workspace.changeWithFiles(one, ({ state }, context) =>
      deleteTake(state, context, { take: other }),
    );
    expect(deleted).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 1: "one", 9: "nine" }));
    expect(await shared.workspace.undo(one, { steps: true })).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 5: "five", 9: "nine" }));
    expect(await shared.workspace.redo(one, 1)).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 1: "one", 9: "nine" }));
  });

  test.each(["at once", "after an edit by the user"])(
    "[X5] [U8] it stays when the branch is undone, that undo is redone %s, and the take is changed again",
    async (when) => {
      await put(two, 9, "nine");
      expect(await shared.workspace.undo(one, { steps: true })).toMatchObject({ kind: "done" });
      expect(list()).toBe(text({ 1: "one", 9: "nine" }));
      if (when !== "at once") shared.write("mine.txt", "mine");
      expect(await shared.workspace.redo(one, 1)).toMatchObject({ kind: "done" });
      expect(list()).toBe(text({ 9: "nine" }));
      expect(await switchTo(main)).toMatchObject({ kind: "done", files: { conflicts: [] } });
      expect(list()).toBe(text({ 1: "one", 9: "nine" }));
    },
  );

  test("[X5] no file changes when a take is deleted that is not active, whatever was edited", async () => {
    await put(two, 9, "nine");
    await put(one, 9, "neun");
    shared.write("list.txt", text({ 1: "mine", 9: "neun" }));
    const deleted = await shared.workspace.changeWithFiles(one, ({ state }, context) =>
      deleteTake(state, context, { take: main }),
    );
    expect(deleted).toMatchObject({ kind: "done", files: null });
    expect(list()).toBe(text({ 1: "mine", 9: "neun" }));
  });

  test("[X5] [S1] it stays through a jump, whoever wrote the file last", async () => {
    const before = shared.workspace.store.read(one, ({ state }) => state.head ?? "");
    await put(one, 5, "five");
    await put(two, 9, "nine");
    await put(one, 3, "three");
    expect(await shared.workspace.jump(one, { operation: before })).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 9: "nine" }));
  });

  test("[X5] [H15] it stays when two jumps are undone together, there and back again", async () => {
    const head = () => shared.workspace.store.read(one, ({ state }) => state.head ?? "");
    const there = head();
    await switchTo(main);
    const here = head();
    await shared.workspace.jump(one, { operation: there });
    await shared.workspace.jump(one, { operation: here });
    await put(two, 9, "nine");
    await shared.workspace.jump(one, { operation: there });
    expect([list(), takeOf(one)]).toEqual([text({ 9: "nine" }), other]);
    expect(await shared.workspace.undo(one, { count: 2 })).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 9: "nine" }), other]);
  });

  test("[X5] [H12] a jump into another take, undone, does not bring back there what the other thread has undone", async () => {
    await switchTo(main);
    const past = head();
    await put(two, 9, "nine");
    await put(one, 5, "five");
    await branchAt(one, (count) => count - 1);
    expect(await shared.workspace.undo(two, {})).toMatchObject({ kind: "done" });
    await shared.workspace.jump(one, { operation: past });
    shared.write("mine.txt", "mine");
    await put(one, 3, "three");
    expect(await shared.workspace.undo(one, { count: 2 })).toMatchObject({ kind: "done" });
    await switchTo(main);
    expect(list()).toBe(text({ 1: "one", 5: "five" }));
  });

  test("[X5] [H12] a jump into another take, undone, gives that take its own change of the file back too", async () => {
    await switchTo(main);
    const past = head();
    await put(one, 5, "five");
    await branchAt(one, (count) => count - 1);
    await put(two, 9, "nine");
    expect(await shared.workspace.jump(one, { operation: past })).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 1: "one", 9: "nine" }), main]);
    expect(await shared.workspace.undo(one, { steps: true })).toMatchObject({ kind: "done" });
    await switchTo(main);
    expect(list()).toBe(text({ 1: "one", 5: "five", 9: "nine" }));
  });

  test.each([
    ["a jump back in time", 1],
    ["a jump back in time and a turn after it", 2],
  ])("[X5] [S1] it stays in the other take when %s is taken back after an edit by the user", async (_, count) => {
    await switchTo(main);
    await shared.workspace.undo(one, {});
    const past = shared.workspace.store.read(one, ({ state }) => state.head ?? "");
    await shared.workspace.redo(one, 1);
    await switchTo(other);
    await put(two, 9, "nine");
    await shared.workspace.jump(one, { operation: past });
    expect([list(), takeOf(one)]).toEqual([text({ 9: "nine" }), main]);
    shared.write("mine.txt", "mine");
    if (count === 2) await put(one, 3, "three");
    expect(await shared.workspace.undo(one, { count })).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 9: "nine" }), other]);
    await switchTo(main);
    expect(list()).toBe(text({ 1: "one", 9: "nine" }));
  });

  test("[X5] [U8] it stays in the other take when a turn there and a switch are undone together, and redone after an edit", async () => {
    await switchTo(main);
    await put(one, 5, "five");
    await switchTo(other);
    await put(two, 9, "nine");
    expect(await shared.workspace.undo(one, { steps: true, count: 2 })).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 1: "one", 9: "nine" }), main]);
    shared.write("mine.txt", "mine");
    expect(await shared.workspace.redo(one, 1)).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 9: "nine" }), other]);
    await switchTo(main);
    expect(list()).toBe(text({ 1: "one", 5: "five", 9: "nine" }));
  });

  test.each(["shared", "private"])(
    "[X5] [L8] it stays where the other thread is %s, and the user changed the file after it",
    async (kind) => {
      const three = await shared.workspace.newThread("three", { private: kind === "private" });
      await put(three, 9, "nine");
      shared.write("list.txt", text({ 5: "mine", 9: "nine" }));
      await put(one, 3, "three");
      expect(await switchTo(main)).toMatchObject({ kind: "done", files: { conflicts: [] } });
      expect(list()).toBe(text({ 1: "one", 9: "nine" }));
      expect(await switchTo(other)).toMatchObject({ kind: "done", files: { conflicts: [] } });
      expect(list()).toBe(text({ 3: "three", 5: "mine", 9: "nine" }));
    },
  );

  test("[X5] the user's edits go with the take and come back with it; the other thread's stay", async () => {
    await put(two, 9, "nine");
    shared.write("list.txt", text({ 5: "mine", 9: "nine" }));
    await shared.turn(two, "Say hello.");
    await put(two, 7, "seven");
    const left = await switchTo(main);
    if (left.kind !== "done") throw new Error(left.kind);
    expect(filesAnswer(left).files).toEqual([{ path: "list.txt", became: "put-away" }]);
    expect(list()).toBe(text({ 1: "one", 7: "seven", 9: "nine" }));
    await switchTo(other);
    expect(list()).toBe(text({ 5: "mine", 7: "seven", 9: "nine" }));
  });

  test("[X5] a file that this thread has not changed stays as the other thread and the user left it", async () => {
    await shared.turn(two, "write theirs.txt: 1");
    shared.write("theirs.txt", "edited");
    await shared.turn(two, "Say hello.");
    await shared.turn(two, "write other.txt: 2");
    expect(await switchTo(main)).toMatchObject({ kind: "done", files: { conflicts: [] } });
    expect([shared.read("theirs.txt"), shared.read("other.txt")]).toEqual(["edited", "2"]);
  });

  test("[X5] a file that the user deleted, and the other thread never saw, is not one that it deleted", async () => {
    await shared.turn(two, "write made.txt: 1");
    await shared.workspace.undo(two, {});
    await shared.turn(one, "write made.txt: mine");
    rmSync(join(shared.root, "made.txt"));
    await shared.turn(two, "write made.txt: theirs");
    expect(await switchTo(main)).toMatchObject({ kind: "done", files: { conflicts: [] } });
    expect(shared.read("made.txt")).toBe("theirs");
  });
});

describe("the other thread changed the same lines", () => {
  test("[X1] [X5] that is a conflict, and nothing is changed until it is decided", async () => {
    await put(two, 1, "eins");
    const conflicts = [{ path: "list.txt", kind: "other-thread" }];
    expect(await switchTo(main)).toMatchObject({ kind: "conflicts", files: { conflicts } });
    expect([list(), takeOf(one)]).toEqual([text({ 1: "eins" }), other]);
    expect(await switchTo(main, "keep")).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 1: "eins" }), main]);
    await switchTo(other);
    expect(await switchTo(main)).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 1: "eins" }));
  });

  test("[X5] [U8] a jump into a take is undone and redone exactly, also where the other thread deleted the file meanwhile", async () => {
    const before = shared.workspace.store.read(one, ({ state }) => state.head ?? "");
    await put(one, 5, "five");
    await shared.turn(two, "run rm list.txt");
    expect(await switchTo(main, "keep")).toMatchObject({ kind: "done" });
    await shared.workspace.undo(two, {});
    expect(list()).toBe(text({ 5: "five" }));
    expect(await shared.workspace.jump(one, { operation: before })).toMatchObject({ kind: "done" });
    const after = list();
    expect(await shared.workspace.undo(one, { steps: true })).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 5: "five" }), main]);
    expect(await shared.workspace.redo(one, 1)).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([after, other]);
  });

  test("[X5] overwriting them brings the take's own version", async () => {
    await put(two, 1, "eins");
    expect(await switchTo(main, "overwrite")).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 1: "one" }));
  });

  test("[X5] [F33] the answer says what became of the file, and does not call it the user's", async () => {
    await put(two, 1, "eins");
    const done = await switchTo(main, "merge");
    if (done.kind !== "done") throw new Error(done.kind);
    expect(filesAnswer(done).files).toEqual([{ path: "list.txt", became: "markers", reason: "other-thread" }]);
  });

  test("[X5] an empty directory of the other thread goes with the tree, and is not called the user's edit", async () => {
    await shared.turn(two, "run mkdir theirs");
    mkdirSync(join(shared.root, "mine"));
    const done = await switchTo(main);
    if (done.kind !== "done") throw new Error(done.kind);
    expect(filesAnswer(done).files).toEqual([
      { path: "list.txt", became: "restored" },
      { path: "mine", became: "put-away" },
      { path: "theirs", became: "removed" },
    ]);
  });

  test("[X5] a jump into another take is undone where other threads have changed a file again that it leaves alone", async () => {
    const three = await shared.workspace.newThread("three");
    await switchTo(main);
    const past = head();
    await shared.turn(two, "write theirs.txt: 2");
    await put(one, 5, "five");
    await switchTo(other);
    await shared.turn(three, "write theirs.txt: 3");
    expect(await shared.workspace.jump(one, { operation: past })).toMatchObject({ kind: "done" });
    expect([list(), shared.read("theirs.txt"), takeOf(one)]).toEqual([text({ 1: "one" }), "3", main]);
    expect(await shared.workspace.undo(one, { steps: true })).toMatchObject({ kind: "done" });
    expect([list(), shared.read("theirs.txt"), takeOf(one)]).toEqual([text({}), "3", other]);
    expect(await shared.workspace.redo(one, 1)).toMatchObject({ kind: "done" });
    expect([list(), shared.read("theirs.txt"), takeOf(one)]).toEqual([text({ 1: "one" }), "3", main]);
    await shared.workspace.undo(one, { steps: true });
    await switchTo(main);
    expect([list(), shared.read("theirs.txt")]).toEqual([text({ 1: "one", 5: "five" }), "3"]);
  });

  test("[X5] a jump into another take is undone right away where the other thread has changed the same lines that the jump takes back", async () => {
    await switchTo(main);
    const past = head();
    await put(one, 5, "five");
    await switchTo(other);
    await put(two, 5, "fünf");
    expect(await shared.workspace.jump(one, { operation: past })).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 1: "one", 5: "fünf" }), main]);
    expect(await shared.workspace.undo(one, { steps: true })).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 5: "fünf" }), other]);
    await switchTo(main, "overwrite");
    expect(list()).toBe(text({ 1: "one", 5: "five" }));
  });

  test("[X5] [U8] its change stays when an undo that conflicted with it is redone and done again", async () => {
    await put(two, 1, "eins");
    const undo = () => shared.workspace.undo(one, { steps: true, count: 2 }, { onConflict: "merge" });
    expect(await undo()).toMatchObject({ kind: "done" });
    expect([list()?.includes("eins"), takeOf(one)]).toEqual([true, main]);
    expect(await shared.workspace.redo(one, 1)).toMatchObject({ kind: "done" });
    expect([list(), takeOf(one)]).toEqual([text({ 1: "eins" }), other]);
    expect(await undo()).toMatchObject({ kind: "done" });
    expect(list()).toContain("eins");
  });

  test("[X5] another thread's file stays when a jump to a time when it was there is taken back", async () => {
    await switchTo(main);
    await shared.turn(two, "write theirs.txt: 1");
    await shared.turn(one, "Say hello.");
    const past = head();
    await shared.workspace.undo(two, {});
    await switchTo(other);
    await shared.workspace.redo(two, 1);
    await shared.turn(two, "write other.txt: 1");
    await shared.workspace.jump(one, { operation: past });
    expect(await shared.workspace.undo(one, { steps: true })).toMatchObject({ kind: "done" });
    expect([shared.read("theirs.txt"), takeOf(one)]).toEqual(["1", other]);
    expect(await switchTo(main)).toMatchObject({ kind: "done" });
    expect([shared.read("theirs.txt"), shared.read("other.txt")]).toEqual(["1", "1"]);
  });

  test("[X5] a change that the other thread has undone is no conflict", async () => {
    await put(two, 1, "eins");
    await shared.workspace.undo(two, {});
    expect(await switchTo(main)).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 1: "one" }));
  });
});

function list(): string | undefined {
  return shared.read("list.txt");
}

/** A turn that replaces one line of the list. */
function put(thread: string, line: number, word: string): Promise<void> {
  return putLine(shared, thread, line, word);
}

function takeOf(thread: string): string {
  return shared.workspace.store.read(thread, ({ state }) => activeTake(state));
}

function switchTo(take: string, onConflict: ConflictPolicy = "abort") {
  return shared.workspace.changeWithFiles(one, ({ state }, context) => switchTake(state, context, { take }), {
    onConflict,
  });
}

function head(): string {
  return shared.workspace.store.read(one, ({ state }) => state.head ?? "");
}

async function branchAt(thread: string, place: (count: number) => number): Promise<void> {
  const entry = shared.workspace.store.read(thread, ({ state }) => {
    const take = activeTake(state);
    return entryAt(state, take, place(entryCount(state, take)))?.id ?? "";
  });
  const take = shared.workspace.store.identity.id();
  await shared.workspace.changeWithFiles(thread, (history, context) => branch(history, context, { entry, take }));
}
