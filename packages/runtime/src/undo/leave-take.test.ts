import { activeTake, branch, entryAt, entryCount, liveTakes, switchTake } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

let shared: SharedWorkspace;
let thread: string;
beforeEach(async () => {
  shared = new SharedWorkspace();
  thread = await shared.retake.newThread("main");
  await shared.turn(thread, "write file.txt: 1");
  await shared.turn(thread, "write file.txt: 2");
});
afterEach(() => shared.remove());

const take = (name: string) =>
  shared.retake.read(thread, ({ state }) => liveTakes(state).find((each) => each.name === name)?.id ?? "");

const branchAtFirst = () => branchAt(() => 0);
const branchAtLast = () => branchAt((count) => count - 1);

async function branchAt(place: (count: number) => number): Promise<void> {
  const entry = shared.retake.read(thread, ({ state }) => {
    const take = activeTake(state);
    return entryAt(state, take, place(entryCount(state, take)))?.id ?? "";
  });
  const made = shared.retake.identity.id();
  await shared.retake.changeWithFiles(thread, ({ state }, context) => branch(state, context, { entry, take: made }));
}

function switchTo(name: string) {
  const to = take(name);
  return shared.retake.changeWithFiles(thread, ({ state }, context) => switchTake(state, context, { take: to }));
}

describe("taking back what made another take active", () => {
  test("[H15] [X6] the take that is left keeps its files", async () => {
    await branchAtFirst();
    await shared.turn(thread, "write other.txt: 3");
    await switchTo("main");
    expect([shared.read("file.txt"), shared.read("other.txt")]).toEqual(["2", undefined]);
    await shared.retake.undo(thread, { steps: true });
    expect([shared.read("file.txt"), shared.read("other.txt")]).toEqual(["1", "3"]);
    await switchTo("main");
    expect([shared.read("file.txt"), shared.read("other.txt")]).toEqual(["2", undefined]);
  });

  test("[H15] [U4] what the user changed since the branch is still on disk when it is undone", async () => {
    await branchAtFirst();
    shared.write("mine.txt", "mine");
    expect(await shared.retake.undo(thread, { steps: true })).toMatchObject({ kind: "done" });
    expect([shared.read("file.txt"), shared.read("mine.txt")]).toEqual(["2", "mine"]);
    expect(await shared.retake.redo(thread, 1)).toMatchObject({ kind: "done" });
    expect([shared.read("file.txt"), shared.read("mine.txt")]).toEqual(["1", "mine"]);
  });

  test("[H15] a turn and the switch before it, taken back together, are both taken back of the right take", async () => {
    await branchAtFirst();
    await switchTo("main");
    await shared.turn(thread, "write file.txt: 3");
    await shared.retake.undo(thread, { steps: true, count: 2 });
    expect(shared.read("file.txt")).toBe("1");
    await switchTo("main");
    expect(shared.read("file.txt")).toBe("2");
  });

  test("[H15] [X6] a turn that was taken back in the branch alone is there when the branch is undone", async () => {
    await shared.turn(thread, "write file.txt: 3");
    await branchAtLast();
    await shared.retake.undo(thread, {});
    shared.write("mine.txt", "mine");
    expect(shared.read("file.txt")).toBe("2");
    expect(await shared.retake.undo(thread, { steps: true })).toMatchObject({ kind: "done" });
    expect([shared.read("file.txt"), shared.read("mine.txt")]).toEqual(["3", "mine"]);
  });

  test("[H15] [U4] what the user changed in the same file since is merged in both takes", async () => {
    shared.write("lines.txt", "1\n2\n3\n4\n5\n");
    await branchAtFirst();
    shared.write("lines.txt", "1\n2\n3\n4\n5\n");
    await switchTo("main");
    await shared.turn(thread, "run sed -i s/1/one/ lines.txt");
    shared.write("lines.txt", "one\n2\n3\n4\nfive\n");
    expect(await shared.retake.undo(thread, { steps: true, count: 2 })).toMatchObject({ kind: "done" });
    expect(shared.read("lines.txt")).toBe("1\n2\n3\n4\nfive\n");
    await switchTo("main");
    expect(shared.read("lines.txt")).toBe("1\n2\n3\n4\nfive\n");
  });
});
