import { activeTake, branch, deleteTake, entryAt, type Operation, switchTake } from "@retake/core";
import { bytePath } from "@retake/workspace";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { filesAnswer } from "../answers/files-answer.ts";
import type { TakeBackOptions } from "../workspace/open-workspace.ts";
import type { ChangedWithFiles, TakeBackResult } from "./take-back.ts";
import { SharedWorkspace } from "./testing/shared-workspace.ts";
import { storedRows } from "./testing/stored-rows.ts";

let shared: SharedWorkspace;
let thread: string;
beforeEach(async () => {
  shared = new SharedWorkspace();
  thread = await shared.workspace.newThread("main");
  await shared.turn(thread, "write file.txt: 1");
});
afterEach(() => shared.remove());

const state = () => shared.workspace.store.read(thread, ({ state: now }) => now);
const head = () => state().head ?? "";

describe("[U6] [H14] a dry run foretells", () => {
  test("the refusal of a revert after which a deleted take would be active", async () => {
    const main = activeTake(state());
    const made = await branchAtFirst();
    await switchTo(main);
    const switched = head();
    await remove(made);
    await both((options) => shared.workspace.revert(thread, { operation: switched }, options), {
      kind: "refused",
      message: "The take that would be active is deleted. Nothing was changed.",
    });
  });

  test("that a jump to where the thread is has nothing to do", async () => {
    await both((options) => shared.workspace.jump(thread, { operation: head() }, options), { code: "nothing-to-do" });
  });

  test("that an undo of one file has nothing to do where the file is like that", async () => {
    await shared.turn(thread, "write other.txt: 1");
    const paths = [bytePath("file.txt")];
    await both((options) => shared.workspace.undo(thread, {}, { ...options, paths }), { code: "nothing-to-do" });
  });

  test("that everything is left as it was, where the user's file stays", async () => {
    shared.write("file.txt", "mine");
    const paths = [bytePath("file.txt")];
    await both((options) => shared.workspace.undo(thread, {}, { ...options, paths, onConflict: "keep" }), {
      kind: "kept",
    });
  });

  test("that a switch to the active take has nothing to do", async () => {
    const take = activeTake(state());
    await both(
      (options) =>
        shared.workspace.changeWithFiles(
          thread,
          (history, context) => switchTake(history.state, context, { take }),
          options,
        ),
      { code: "nothing-to-do" },
    );
  });

  test("an undo that merges a file of a take that is not on disk", async () => {
    await shared.turn(thread, "write list.txt: one\\n2\\n3\\n4\\n5");
    const past = head();
    await shared.turn(thread, "run sed -i s/one/two/ list.txt");
    const made = await branchAtFirst();
    await shared.workspace.jump(thread, { operation: past });
    shared.write("list.txt", "one\n2\n3\n4\nfive");
    await switchTo(made);
    await both((options) => shared.workspace.undo(thread, {}, options), { kind: "done" });
  });

  test("what an undo and a redo do, and leaves the thread and the files as they are", async () => {
    await both((options) => shared.workspace.undo(thread, {}, options), { kind: "done" });
    await both((options) => shared.workspace.redo(thread, 1, options), { kind: "done" });
  });
});

/** Asks for the dry run and then does it. Both say the same. */
async function both(
  work: (options: TakeBackOptions) => Promise<ChangedWithFiles | TakeBackResult>,
  expected: object,
): Promise<void> {
  const before = [head(), shared.read("file.txt")];
  const would = await work({ dryRun: true });
  // The first one captures the files.
  const stored = storedRows(shared.workspace);
  await work({ dryRun: true });
  expect(storedRows(shared.workspace)).toEqual(stored);
  expect([head(), shared.read("file.txt")]).toEqual(before);
  const done = await work({});
  expect(done).toMatchObject(expected);
  if (done.kind !== "done" || would.kind !== "would-do") expect(would).toEqual(done);
  else expect(filesAnswer(would)).toEqual(filesAnswer(done));
}

async function branchAtFirst(): Promise<string> {
  const entry = entryAt(state(), activeTake(state()), 0)?.id ?? "";
  const take = shared.workspace.store.identity.id();
  await changed((history, context) => branch(history, context, { entry, take }));
  return take;
}

function switchTo(take: string): Promise<Operation | undefined> {
  return changed((history, context) => switchTake(history.state, context, { take }));
}

function remove(take: string): Promise<Operation | undefined> {
  return changed((history, context) => deleteTake(history.state, context, { take }));
}

async function changed(
  build: Parameters<SharedWorkspace["workspace"]["changeWithFiles"]>[1],
): Promise<Operation | undefined> {
  const done = await shared.workspace.changeWithFiles(thread, build);
  return done.kind === "done" ? done.operation : undefined;
}
