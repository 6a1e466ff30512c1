import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { activeTake, addPath, pathsIn, removePath } from "@retake/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { examine } from "../doctor/examine.ts";
import { ImageFiles } from "../store/image-files.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";

let place: TemporaryRetake;
let thread: string;
let ahead: number;
beforeEach(async () => {
  ahead = 0;
  place = new TemporaryRetake(() => Date.now() + ahead);
  thread = await place.workspace.newThread("talk");
});
afterEach(() => place.remove());

const folder = (name: string) => join(place.workspace.store.directories.data, name);
const files = (name: string) => readdirSync(folder(name)).filter((each) => each !== "list");

function problems() {
  const { directories } = place.workspace.store;
  return examine({ directories, root: place.root, version: "0" }).problems.map(({ code, message }) => ({
    code,
    message,
  }));
}

test("contents that no thread names are collected with what a kill left; those of the whole history stay", async () => {
  place.write("AGENTS.md", "Be brief.\n");
  await place.turn(thread, "hello");
  await place.workspace.undo(thread, { count: 1 });
  const named = files("attached");
  expect(named.length).toBeGreaterThan(1);
  const { attachments, directories } = place.workspace.store;
  const unnamed = attachments.put("nobody names this");
  const image = new ImageFiles(directories.data).add(Buffer.from("nobody shows this"), "image/png");
  writeFileSync(join(folder("attached"), `${unnamed}.0123`), "half");
  // A turn keeps contents before the operation that names them.
  expect(await place.workspace.collectGarbage()).toMatchObject({ contents: 0 });
  ahead = 2 * 60 * 60 * 1000;
  expect(await place.workspace.collectGarbage({ dryRun: true })).toMatchObject({ contents: 3 });
  expect(attachments.text(unnamed)).toBe("nobody names this");
  expect(await place.workspace.collectGarbage()).toMatchObject({ contents: 3 });
  expect(files("attached").sort()).toEqual(named.sort());
  expect(files("images")).toEqual([]);
  expect(image).toMatch(/^image:/);
  expect(problems()).toEqual([]);
});

test("an image that a thread showed once stays: an undo may show it again", async () => {
  const { store } = place.workspace;
  const path = new ImageFiles(store.directories.data).add(Buffer.from("picture"), "image/png");
  store.change(thread, (state, context) => addPath(state, context, { list: "screenshot", member: { path } }));
  store.change(thread, (state, context) => removePath(state, context, { list: "screenshot", path }));
  expect(store.read(thread, ({ state }) => pathsIn(state, activeTake(state), "screenshot"))).toEqual([]);
  ahead = 2 * 60 * 60 * 1000;
  expect(await place.workspace.collectGarbage()).toMatchObject({ contents: 0 });
  expect(files("images")).toHaveLength(1);
});

test("doctor names contents that were changed or are gone, and none that only another machine has", async () => {
  place.write("AGENTS.md", "Be brief.\n");
  await place.turn(thread, "hello");
  expect(problems()).toEqual([]);
  const { store } = place.workspace;
  const digest = store.attachments.put("Be brief.\n");
  const file = join(folder("attached"), digest);
  writeFileSync(file, "Be long.\n");
  expect(problems()).toEqual([{ code: "damaged-attachment", message: expect.stringContaining(digest) }]);
  rmSync(file);
  expect(problems()).toEqual([{ code: "missing-attachment", message: expect.stringContaining(digest) }]);
  // The next turn keeps it anew.
  await place.turn(thread, "again");
  expect(problems()).toEqual([]);
  // A thread from another machine: nothing of it was ever here.
  rmSync(folder("attached"), { recursive: true });
  expect(problems()).toEqual([]);
});
