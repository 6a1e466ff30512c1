import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { connect, type Database, fileSchema } from "@retake/workspace";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storeSchema } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-database-"));
  file = join(folder, "retake.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("every opening commits with a flush, in WAL mode, with foreign keys", () => {
  openDatabase(file).close();
  const database = openDatabase(file);
  expect(database.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
  expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(database.prepare("PRAGMA foreign_keys").get()).toEqual({ foreign_keys: 1 });
  database.close();
});

test.runIf(existsSync("/proc/locks"))("[L4] a second connection takes none of the first one's locks away", () => {
  const locks = () =>
    readFileSync("/proc/locks", "utf8")
      .split("\n")
      .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} `)).length;
  const first = openDatabase(file);
  first.run("INSERT INTO packs (size) VALUES (1)");
  expect(locks()).toBe(1);
  openDatabase(file).close();
  expect(locks()).toBe(1);
  first.close();
  expect(locks()).toBe(0);
});

test("[S3] a store from a newer version is refused and left untouched", () => {
  openDatabase(file).close();
  const newer = new DatabaseSync(file);
  newer.exec(`PRAGMA user_version = ${storeSchema.steps.length + 1}`);
  newer.close();
  expect(() => openDatabase(file)).toThrow(/newer Retake/);
});

test("[S3] a store from an older version is copied before it is migrated", () => {
  const older = new DatabaseSync(file);
  older.exec(`${storeSchema.steps[0]}; PRAGMA user_version = 1; INSERT INTO packs (size) VALUES (7)`);
  older.close();
  const database = openDatabase(file);
  expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: storeSchema.steps.length });
  expect(database.prepare("SELECT size FROM packs").get()).toEqual({ size: 7 });
  database.close();
  if (storeSchema.steps.length > 1)
    expect(readdirSync(folder).some((name) => name.includes("before-schema"))).toBe(true);
});

test("transactions that join are one: an error takes back all of it", () => {
  const database = openDatabase(file);
  const count = () => database.prepare("SELECT count(*) AS count FROM packs").get()?.["count"];
  const insert = () => database.run("INSERT INTO packs (size) VALUES (1)");
  expect(() =>
    database.transaction(() => {
      insert();
      database.transaction(insert);
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(count()).toBe(0);
  database.transaction(() => database.transaction(insert));
  expect(count()).toBe(1);
  database.close();
});

test("what need not survive a power loss is committed without a flush, and nothing after it is", () => {
  const database = openDatabase(file);
  const flushing = () => database.prepare("PRAGMA synchronous").get()?.["synchronous"];
  expect([database.unflushed(flushing), flushing()]).toEqual([1, 2]);
  const fail = () => {
    throw new Error("no");
  };
  expect(() => database.unflushed(fail)).toThrow("no");
  expect(flushing()).toBe(2);
  expect(database.transaction(() => database.unflushed(flushing))).toBe(2);
  database.close();
});

test("the tables of files are those that the workspace package makes by itself", () => {
  const [store, files] = [openDatabase(":memory:"), connect(":memory:", fileSchema)];
  const tables = (database: Database) =>
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all()
      .map(({ name }) => String(name));
  const told = (database: Database, table: string) =>
    ["table_xinfo", "foreign_key_list", "index_list"].map((what) =>
      database
        .prepare(`SELECT * FROM pragma_${what}('${table}')`)
        .all()
        .map(({ cid, seq, id, ...column }) => JSON.stringify(column))
        .sort(),
    );
  for (const table of tables(files)) expect([table, told(store, table)]).toEqual([table, told(files, table)]);
  store.close();
  files.close();
});
