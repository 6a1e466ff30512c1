import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Sql } from "./sql-database.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

const database = new SqliteDatabase(":memory:");
afterEach(() => database.everywhere((sql) => sql.run("DELETE FROM deleted_vaults")));

const insert = (sql: Sql, vault: string) =>
  sql.run("INSERT INTO deleted_vaults (vault, deleted_at) VALUES (?, ?)", [vault, 1]);
const stored = async () => (await database.read<{ vault: string }>("SELECT vault FROM deleted_vaults", [])).length;

test("[L5] a transaction whose disk is full stores nothing, also of statements that were begun together", async () => {
  await database.everywhere((sql) => sql.all("PRAGMA max_page_count = 1"));
  const large = "x".repeat(1_000_000);
  const all = database.everywhere((sql) => Promise.all([insert(sql, "a"), insert(sql, large), insert(sql, "b")]));
  await expect(all).rejects.toThrow("full");
  await database.everywhere((sql) => sql.all("PRAGMA max_page_count = 1000000"));
  expect(await stored()).toBe(0);
  await database.everywhere((sql) => insert(sql, "c"));
  expect(await stored()).toBe(1);
});

test("[L5] a statement that comes after the end of its transaction is not part of the next one", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let late: Promise<number> | undefined;
  const failing = database.everywhere(async (sql) => {
    late = ended.then(() => insert(sql, "late"));
    await Promise.all([insert(sql, "a"), insert(sql, "a")]);
  });
  await expect(failing).rejects.toThrow("UNIQUE");
  const next = database.everywhere(async (sql) => {
    end();
    await late?.catch(() => undefined);
    await insert(sql, "next");
  });
  await next;
  await expect(late).rejects.toThrow("has ended");
  expect(await stored()).toBe(1);
});

test("[L5] a transaction that fails takes nothing back of those that are committed with it", async () => {
  const twice = (vault: string) => database.everywhere((sql) => Promise.all([insert(sql, vault), insert(sql, vault)]));
  const once = (vault: string) => database.everywhere((sql) => insert(sql, vault));
  const results = await Promise.allSettled([once("a"), twice("b"), once("c")]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await stored()).toBe(2);
});

test("[L5] all transactions of a commit fail, and nothing of them is stored, when the disk is full", async () => {
  await database.everywhere((sql) => sql.all("PRAGMA max_page_count = 1"));
  const results = await Promise.allSettled(
    ["a", "x".repeat(1_000_000), "b"].map((vault) => database.everywhere((sql) => insert(sql, vault))),
  );
  await database.everywhere((sql) => sql.all("PRAGMA max_page_count = 1000000"));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await stored()).toBe(0);
});

test("[L5] a transaction is answered after its commit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "retake-sync-"));
  const [ours, other] = [new SqliteDatabase(join(folder, "sync.db")), new SqliteDatabase(join(folder, "sync.db"))];
  const found = await Promise.all(
    ["a", "b", "c"].map(async (vault) => {
      await ours.everywhere((sql) => insert(sql, vault));
      return other.read("SELECT vault FROM deleted_vaults WHERE vault = ?", [vault]);
    }),
  );
  expect(found).toEqual([[{ vault: "a" }], [{ vault: "b" }], [{ vault: "c" }]]);
  await ours.close();
  await other.close();
  rmSync(folder, { recursive: true });
});
