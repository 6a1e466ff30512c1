import { readdirSync } from "node:fs";
import { RestoreJournal } from "@retake/workspace";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

let shared: SharedWorkspace;
let thread: string;
beforeEach(async () => {
  shared = new SharedWorkspace();
  shared.write("kept.txt", "as it was");
  thread = await shared.workspace.newThread("main");
  await shared.turn(thread, "write kept.txt: changed\nwrite made.txt: new");
});
afterEach(() => shared.remove());

test("[U1] answers an undo with every file in place and no stage beside them", async () => {
  expect(await shared.workspace.undo(thread, { count: 1 })).toMatchObject({ kind: "done" });
  expect([readdirSync(shared.root), shared.read("kept.txt")]).toEqual([["kept.txt"], "as it was"]);
});

test("[X9] completes the flush before any other work, and before the process ends", async () => {
  const { database } = shared.workspace.files(thread);
  const unfinished = () => new RestoreJournal(database).hasUnfinished(shared.root);
  const other = shared.open();
  await other.undo(thread, { count: 1 });
  expect(unfinished()).toBe(true);
  expect(await other.redo(thread, 1)).toMatchObject({ kind: "done" });
  expect([shared.read("kept.txt"), shared.read("made.txt")]).toEqual(["changed", "new"]);
  await other.close();
  expect(unfinished()).toBe(false);
});
