import { expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";
import { ignoredIn } from "./capture-tree.ts";

const temporary = temporaryWorkspaces();

test("[X1] tells for thousands of files whether ignore rules excluded them, reading each change list once", async () => {
  const place = temporary();
  const workspace = place.open();
  place.write(".gitignore", "*.log\n");
  for (const name of ["kept.txt", "one.log", "two.log"]) place.write(name, name);
  await workspace.capture();
  place.write("later.txt", "later");
  const { id } = await workspace.capture();
  const { database } = workspace;
  const ignored = ignoredIn(database, id);
  expect(ignored("later.txt")).toBe(false);
  expect(ignored("one.log")).toBe(true);
  database.run("UPDATE captures SET changes = x'', listing = NULL");
  expect(["kept.txt", "two.log", "later.txt", "never.txt"].map(ignored)).toEqual([false, true, false, true]);
});
