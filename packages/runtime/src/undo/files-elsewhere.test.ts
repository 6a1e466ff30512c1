import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { activeTake, branch, entryAt, liveTakes, switchTake } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

let shared: SharedWorkspace;
let thread: string;

/** Jumps to another take's past, and changes a file there by hand. */
async function jumpAndEdit(edited: string, content = "by hand"): Promise<void> {
  await shared.turn(thread, "write file.txt: 1\nwrite lines.txt: one\\n2\\n3\\n4\\n5\\n");
  const past = shared.workspace.store.read(thread, ({ state }) => state.head ?? "");
  await shared.turn(thread, "write file.txt: 2\nrun sed -i s/one/two/ lines.txt");
  const entry = shared.workspace.store.read(thread, ({ state }) => entryAt(state, activeTake(state), 0)?.id ?? "");
  const made = shared.workspace.store.identity.id();
  await shared.workspace.changeWithFiles(thread, (history, context) => branch(history, context, { entry, take: made }));
  await shared.workspace.jump(thread, { operation: past });
  if (dirname(edited) !== ".") {
    rmSync(join(shared.root, dirname(edited)));
    mkdirSync(join(shared.root, dirname(edited)));
  }
  shared.write(edited, content);
}

async function jumpAndLeave(edited: string, content?: string): Promise<void> {
  await jumpAndEdit(edited, content);
  await switchTo("main_take_1");
}

function switchTo(name: string) {
  const take = shared.workspace.store.read(
    thread,
    ({ state }) => liveTakes(state).find((each) => each.name === name)?.id ?? "",
  );
  return shared.workspace.changeWithFiles(thread, ({ state }, context) => switchTake(state, context, { take }));
}

beforeEach(async () => {
  shared = new SharedWorkspace();
  thread = await shared.workspace.newThread("main");
});
afterEach(() => shared.remove());

describe("taking back changes in a take that is not on disk", () => {
  test("[H11] [U4] keeps files that the user changed there later, without a conflict", async () => {
    await jumpAndLeave("mine.txt");
    expect(await shared.workspace.undo(thread, {})).toMatchObject({ kind: "done" });
    await switchTo("main");
    expect([shared.read("file.txt"), shared.read("mine.txt")]).toEqual(["2", "by hand"]);
  });

  test("[U8] redo brings the changes back beside them", async () => {
    await jumpAndLeave("mine.txt");
    await shared.workspace.undo(thread, {});
    expect(await shared.workspace.redo(thread, 1)).toMatchObject({ kind: "done" });
    await switchTo("main");
    expect([shared.read("file.txt"), shared.read("mine.txt")]).toEqual(["1", "by hand"]);
  });

  test("[H11] [U4] merges another place of the same file", async () => {
    await jumpAndLeave("lines.txt", "one\n2\n3\n4\nfive\n");
    expect(await shared.workspace.undo(thread, {})).toMatchObject({ kind: "done" });
    await switchTo("main");
    expect(shared.read("lines.txt")).toBe("two\n2\n3\n4\nfive\n");
  });

  test("[H11] [U4] keeps what the user changed there between two steps that are taken back together", async () => {
    await jumpAndEdit("lines.txt", "one\n2\n3\n4\nfive\n");
    await shared.turn(thread, "write file.txt: 3");
    expect(await shared.workspace.undo(thread, { count: 2 })).toMatchObject({ kind: "done" });
    await switchTo("main");
    expect([shared.read("file.txt"), shared.read("lines.txt")]).toEqual(["2", "two\n2\n3\n4\nfive\n"]);
  });

  test.each(["file.txt", "file.txt/inside.txt"])("[H11] [U4] %s, changed there since, is a conflict", async (path) => {
    await jumpAndLeave(path);
    expect(await shared.workspace.undo(thread, {})).toMatchObject({ kind: "conflicts" });
    await switchTo("main");
    expect(shared.read(path)).toBe("by hand");
  });
});
