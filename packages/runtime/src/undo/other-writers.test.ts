import { activeTake, branch, entryAt, switchTake } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

let shared: SharedWorkspace;
let one: string;
let two: string;
beforeEach(async () => {
  shared = new SharedWorkspace();
  one = await shared.workspace.newThread("one");
  two = await shared.workspace.newThread("two");
});
afterEach(() => shared.remove());

describe("two threads in one workspace", () => {
  test("[X5] undo in one thread leaves the other's files alone, and takes back its own", async () => {
    await shared.turn(one, "write mine.txt: 1");
    await shared.turn(two, "write theirs.txt: 2");
    expect(await shared.workspace.undo(one, {})).toMatchObject({ kind: "done" });
    expect([shared.read("mine.txt"), shared.read("theirs.txt")]).toEqual([undefined, "2"]);
    expect(await shared.workspace.redo(one, 1)).toMatchObject({ kind: "done" });
    expect([shared.read("mine.txt"), shared.read("theirs.txt")]).toEqual(["1", "2"]);
  });

  test("[X5] [F34] merges the other's changes in another place of a file; in the same place they are a conflict", async () => {
    await shared.turn(one, "write both.txt: 1\\n2\\n3\\n4\\n5\\n");
    await shared.turn(one, "run sed -i 's/1/one/' both.txt");
    await shared.turn(two, "run sed -i 's/5/five/' both.txt");
    expect(await shared.workspace.undo(one, {})).toMatchObject({ kind: "done" });
    expect(shared.read("both.txt")).toBe("1\n2\n3\n4\nfive\n");
    await shared.workspace.redo(one, 1);
    await shared.turn(two, "run sed -i 's/one/eins/' both.txt");
    expect(await shared.workspace.undo(one, {})).toMatchObject({
      kind: "conflicts",
      files: { conflicts: [{ path: "both.txt", kind: "other-thread" }] },
    });
    expect(shared.read("both.txt")).toBe("eins\n2\n3\n4\nfive\n");
  });

  test("[X5] [F34] a jump is not refused for a file that only the other thread changed", async () => {
    shared.write("theirs.txt", "before\n");
    await shared.turn(one, "write mine.txt: 1");
    const first = shared.workspace.store.read(one, ({ state }) => state.head ?? "");
    await shared.turn(one, "write mine.txt: 2");
    await shared.turn(two, "write theirs.txt: after");
    expect(await shared.workspace.jump(one, { operation: first })).toMatchObject({ kind: "done" });
    expect([shared.read("mine.txt"), shared.read("theirs.txt")]).toEqual(["1", "after"]);
  });

  test("[X5] changes that the other thread has undone are no conflict", async () => {
    await shared.turn(one, "write both.txt: 1");
    await shared.turn(two, "write both.txt: 2");
    await shared.workspace.undo(two, {});
    expect(await shared.workspace.undo(one, {})).toMatchObject({ kind: "done" });
    expect(shared.read("both.txt")).toBeUndefined();
  });

  test("[X5] a switch does not remove the other's files", async () => {
    await shared.turn(one, "write mine.txt: 1");
    await shared.turn(one, "write mine.txt: 2");
    const main = takeOf(one);
    await branchAtFirst(one);
    expect(shared.read("mine.txt")).toBeUndefined();
    await shared.turn(two, "write theirs.txt: 2");
    expect(await switchTo(one, main)).toMatchObject({ kind: "done", files: { kept: [], conflicts: [] } });
    expect([shared.read("mine.txt"), shared.read("theirs.txt")]).toEqual(["2", "2"]);
  });

  test("[X5] files that the other thread left by a branch and returned to by a switch are still its own", async () => {
    const beginning = headOf(two);
    await shared.turn(one, "Say hello.");
    await shared.turn(one, "write theirs.txt: 1");
    const main = takeOf(one);
    await branchAtFirst(one);
    expect(shared.read("theirs.txt")).toBeUndefined();
    await switchTo(one, main);
    expect(await shared.workspace.jump(two, { operation: beginning })).toMatchObject(NOTHING);
    expect(shared.read("theirs.txt")).toBe("1");
  });

  test("[X5] files that the other's switch brought back are its own, however old", async () => {
    await shared.turn(one, "Say hello.");
    await shared.turn(one, "write theirs.txt: 1");
    const main = takeOf(one);
    await branchAtFirst(one);
    const young = await shared.workspace.newThread("young");
    await shared.turn(young, "write mine.txt: 1");
    const before = headOf(young);
    await switchTo(one, main);
    expect(await shared.workspace.jump(young, { operation: before })).toMatchObject(NOTHING);
    expect(shared.read("theirs.txt")).toBe("1");
  });

  test("[X5] the other's files stay its own when a branch in which they were written is undone", async () => {
    await shared.turn(one, "Say hello.");
    await shared.turn(one, "write mine.txt: 1");
    await branchAtFirst(one);
    await shared.turn(two, "write theirs.txt: 2");
    expect(await shared.workspace.undo(one, { steps: true })).toMatchObject({ kind: "done" });
    expect([shared.read("mine.txt"), shared.read("theirs.txt")]).toEqual(["1", "2"]);
    const entry = shared.workspace.store.read(one, ({ state }) => entryAt(state, activeTake(state), 0)?.id ?? "");
    const take = shared.workspace.store.identity.id();
    const made = await shared.workspace.changeWithFiles(one, (history, context) =>
      branch(history, context, { entry, take }),
    );
    expect(made).toMatchObject({ kind: "done", files: { kept: [], conflicts: [] } });
    expect(shared.read("theirs.txt")).toBe("2");
  });

  test("[X5] a much later note of the other thread does not tell who wrote a file", async () => {
    const beginning = headOf(one);
    await shared.turn(two, "write both.txt: 2");
    const three = await shared.workspace.newThread("three");
    await shared.turn(three, "run mv both.txt moved.txt");
    await shared.turn(two, "Say hello.");
    await shared.workspace.undo(three, {});
    expect(await shared.workspace.jump(one, { operation: beginning })).toMatchObject(NOTHING);
    expect(shared.read("both.txt")).toBe("2");
  });

  test("[X5] a user's file that the other's branch removed from disk is not restored in secret", async () => {
    await shared.turn(one, "Say hello.");
    shared.write("by-hand.txt", "1");
    await shared.turn(one, "Say more.");
    await shared.turn(two, "Say hello.");
    const with_it = headOf(two);
    await branchAtFirst(one);
    expect(shared.read("by-hand.txt")).toBeUndefined();
    expect(await shared.workspace.jump(two, { operation: with_it })).toMatchObject(NOTHING);
    expect(shared.read("by-hand.txt")).toBeUndefined();
  });
});

describe("a private thread and one that is not, in one workspace", () => {
  test("[X5] [L8] neither removes the other's files, and each takes back its own", async () => {
    const hidden = await shared.workspace.newThread("hidden", { private: true });
    const begun = headOf(hidden);
    await shared.turn(one, "write both.txt: 1\\n2\\n3\\n4\\n5\\n");
    await shared.turn(one, "run sed -i 's/1/one/' both.txt");
    await shared.turn(hidden, "run sed -i 's/5/five/' both.txt");
    expect(await shared.workspace.undo(one, {})).toMatchObject({ kind: "done" });
    expect(shared.read("both.txt")).toBe("1\n2\n3\n4\nfive\n");
    expect(await shared.workspace.jump(hidden, { operation: begun })).toMatchObject({ kind: "done" });
    expect(shared.read("both.txt")).toBe("1\n2\n3\n4\n5\n");
  });
});

describe("ignore rules", () => {
  test("[U4] a file that becomes ignored stays on disk, whatever is undone or redone", async () => {
    await shared.turn(one, "write secret.env: 1");
    await shared.turn(one, "write other.txt: 1");
    shared.write(".gitignore", "*.env\n");
    await shared.workspace.undo(one, { count: 2 });
    expect([shared.read("secret.env"), shared.read("other.txt")]).toEqual(["1", undefined]);
    await shared.workspace.redo(one, 1);
    expect([shared.read("secret.env"), shared.read("other.txt")]).toEqual(["1", "1"]);
    await shared.workspace.undo(one, { count: 2 });
    expect(shared.read("secret.env")).toBe("1");
  });
});

/** Only files of others are different from what they were: there is nothing to go back to. */
const NOTHING = { kind: "refused", code: "nothing-to-do" };

function takeOf(thread: string): string {
  return shared.workspace.store.read(thread, ({ state }) => activeTake(state));
}

function headOf(thread: string): string {
  return shared.workspace.store.read(thread, ({ state }) => state.head ?? "");
}

async function branchAtFirst(thread: string): Promise<void> {
  const entry = shared.workspace.store.read(thread, ({ state }) => entryAt(state, activeTake(state), 0)?.id ?? "");
  const take = shared.workspace.store.identity.id();
  const made = await shared.workspace.changeWithFiles(thread, (history, context) =>
    branch(history, context, { entry, take }),
  );
  expect(made).toMatchObject({ kind: "done" });
}

function switchTo(thread: string, take: string) {
  return shared.workspace.changeWithFiles(thread, ({ state }, context) => switchTake(state, context, { take }));
}
