import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "@retake/workspace";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../store/open-database.ts";
import { GroupCommit } from "./group-commit.ts";

let folder: string;
let database: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-group-"));
  database = openDatabase(join(folder, "retake.db"));
  database.prepare("CREATE TABLE done (id INTEGER PRIMARY KEY, what TEXT)").run();
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (what: string) => database.transaction(() => database.run("INSERT INTO done (what) VALUES (?)", what).id);
const all = () =>
  database
    .prepare("SELECT what FROM done ORDER BY id")
    .all()
    .map((row) => row["what"]);

describe("group commit", () => {
  test("[S8] changes of one moment are one transaction, in their order, and each gets its own answer", async () => {
    let transactions = 0;
    const commits = new GroupCommit((work) => {
      transactions += 1;
      database.transaction(work);
    });
    const answers = await Promise.all(["a", "b", "c"].map((what) => commits.run(() => add(what))));
    expect([answers, all(), transactions]).toEqual([[1, 2, 3], ["a", "b", "c"], 1]);
    expect(await commits.run(() => add("d"))).toBe(4);
    expect(transactions).toBe(1);
  });

  test("one that breaks takes nothing with it but itself", async () => {
    const commits = new GroupCommit((work) => database.transaction(work));
    const results = await Promise.allSettled([
      commits.run(() => add("a")),
      commits.run(() => {
        add("half");
        throw new Error("broken");
      }),
      commits.run(() => add("b")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    // Run alone, its write before the failure was a transaction of its own.
    expect(all()).toEqual(["a", "half", "b"]);
  });
});
