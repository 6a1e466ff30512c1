import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { activeTake, noteFilesEdited, tree } from "@retake/core";
import { afterAll, expect, test } from "vitest";
import { BundlePlaces } from "../exchange/testing/bundle-place.ts";
import { SyncRows } from "../store/sync-rows.ts";
import { ThreadFiles } from "./thread-files.ts";

const places = new BundlePlaces();
afterAll(() => places.close());

test("[L5] [X1] a pull while a turn begins is noticed: the turn is refused, and nothing is recorded", async () => {
  const place = places.open("here");
  const { store, root } = place.workspace;
  const file = join(root, "a.txt");
  const thread = await place.workspace.newThread("shared");
  await place.say(thread, "write a.txt: one");
  const workspace = place.workspace.files(thread);
  writeFileSync(file, "two");
  const { id: theirs } = await workspace.capture();
  writeFileSync(file, "one");

  const { threads, database } = store.shared;
  const rows = new SyncRows(database);
  const files = new ThreadFiles(workspace, threads, store.identity);
  let begun = false;
  const beginning = files.beginTurn(thread, () => {
    begun = true;
  });
  // While the files are captured, as a pull does it: the take moves to the files of another machine.
  database.transaction(() => {
    const before = threads.read(thread, ({ state }) => tree(state, activeTake(state)));
    const context = store.identity.context({ kind: "sync" });
    threads.change(thread, ({ state }) => noteFilesEdited(state, context, { tree: theirs }));
    rows.setThread(thread, rows.thread(thread).state);
    rows.noteFilesHere(thread, before);
  });
  const head = place.head(thread);
  await expect(beginning).rejects.toMatchObject({
    refusal: { code: "files-elsewhere", details: { files: ["a.txt"] } },
  });
  expect([begun, place.head(thread)]).toEqual([false, head]);
  expect(readFileSync(file, "utf8")).toBe("one");
});
