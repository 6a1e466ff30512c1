import { activeTake, branch, type ConflictPolicy, entryAt, tree } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { restoreSnapshot } from "../snapshots/restore-snapshot.ts";
import { takeSnapshot } from "../snapshots/take-snapshot.ts";
import { SharedWorkspace } from "./testing/shared-workspace.ts";
import { putLine, text } from "./testing/word-list.ts";

let shared: SharedWorkspace;
let one: string;
let two: string;

beforeEach(async () => {
  shared = new SharedWorkspace();
  shared.write("list.txt", text({}));
  one = await shared.workspace.newThread("one");
  two = await shared.workspace.newThread("two");
  await shared.turn(one, "Say hello.");
});
afterEach(() => shared.remove());

describe("a snapshot is restored while another thread works in the directory", () => {
  test("[X5] [P4] the other thread's change stays where this thread changed the same file after it", async () => {
    const before = head();
    await put(two, 9, "nine");
    await put(one, 5, "five");
    expect(await restore(before)).toMatchObject({ kind: "done", files: { kept: [], conflicts: [] } });
    expect(list()).toBe(text({ 9: "nine" }));
    expect(await shared.workspace.undo(one, { steps: true })).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 5: "five", 9: "nine" }));
  });

  test("[X5] [P4] the other thread's change in the same place is a conflict", async () => {
    const before = head();
    await put(one, 5, "five");
    await put(two, 5, "fünf");
    await put(one, 3, "three");
    expect(await restore(before)).toMatchObject({
      kind: "conflicts",
      files: { conflicts: [{ path: "list.txt", kind: "other-thread" }] },
    });
    expect(list()).toBe(text({ 3: "three", 5: "fünf" }));
  });

  test("[X1] [X5] [P4] a file stays as it is where markers would show that conflict without the user's change", async () => {
    const before = head();
    await put(one, 5, "five");
    await put(two, 5, "fünf");
    shared.write("list.txt", text({ 1: "mine", 5: "fünf" }));
    expect(await restore(before, "merge")).toMatchObject({ kind: "kept" });
    expect(list()).toBe(text({ 1: "mine", 5: "fünf" }));
  });

  test("[X5] [P4] what the other thread has taken back since does not return", async () => {
    await put(two, 9, "nine");
    await put(one, 5, "five");
    const both = head();
    await shared.workspace.undo(two, {});
    await put(one, 5, "fünf");
    expect(await restore(both)).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 5: "five" }));
  });

  test("[X5] [P4] overwriting the user's edit leaves the other thread's change", async () => {
    const before = head();
    await put(two, 9, "nine");
    await put(one, 5, "five");
    shared.write("list.txt", text({ 3: "mine", 5: "five", 9: "nine" }));
    expect(await restore(before)).toMatchObject({ files: { conflicts: [{ path: "list.txt", kind: "overlap" }] } });
    expect(await restore(before, "overwrite")).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 9: "nine" }));
  });

  test("[X1] [P4] the user's edit is a conflict also where this thread changed the same file after it", async () => {
    const before = head();
    shared.write("list.txt", text({ 3: "mine" }));
    await put(one, 5, "five");
    expect(await restore(before)).toMatchObject({ files: { conflicts: [{ path: "list.txt", kind: "overlap" }] } });
    expect(list()).toBe(text({ 3: "mine", 5: "five" }));
    expect(await shared.workspace.jump(one, { operation: before })).toMatchObject({ kind: "done" });
    await put(one, 5, "five");
    expect(await restore(before)).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({}));
  });

  test("[X1] [X5] [P4] the user's file is a conflict also after another thread put it away and brought it back", async () => {
    await shared.turn(two, "Say hello.");
    await put(one, 3, "three");
    const before = head();
    shared.write("mine.txt", "mine");
    await branchAtFirst(two);
    expect(shared.read("mine.txt")).toBeUndefined();
    await shared.workspace.undo(two, { steps: true });
    expect(shared.read("mine.txt")).toBe("mine");
    const conflicts = [{ path: "mine.txt", kind: "created-by-user" }];
    expect(await restore(before)).toMatchObject({ kind: "conflicts", files: { conflicts } });
  });

  test("[X5] [P4] a snapshot that the user took has the other thread's changes of that time, and later ones stay", async () => {
    await put(two, 9, "nine");
    const taken = await takeSnapshot(shared.workspace, one);
    if (taken.kind !== "taken") throw new Error(taken.message);
    await put(two, 9, "neun");
    await put(one, 5, "five");
    expect(await restoreSnapshot(shared.workspace, taken.snapshot)).toMatchObject({ kind: "done" });
    expect(list()).toBe(text({ 9: "neun" }));
  });
});

function list(): string | undefined {
  return shared.read("list.txt");
}

function put(thread: string, line: number, word: string): Promise<void> {
  return putLine(shared, thread, line, word);
}

function head(): string {
  return shared.workspace.store.read(one, ({ state }) => state.head ?? "");
}

/** The files after an operation of thread one, which makes a snapshot. */
function restore(operation: string, onConflict: ConflictPolicy = "abort") {
  const wanted = shared.workspace.store.read(one, (history) => {
    const past = history.stateAt(operation);
    return tree(past, activeTake(past));
  });
  return shared.workspace.restore(one, { snapshot: `S-${operation}`, tree: wanted }, { onConflict });
}

async function branchAtFirst(thread: string): Promise<void> {
  const entry = shared.workspace.store.read(thread, ({ state }) => entryAt(state, activeTake(state), 0)?.id ?? "");
  const take = shared.workspace.store.identity.id();
  await shared.workspace.changeWithFiles(thread, (history, context) => branch(history, context, { entry, take }));
}
