import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { connect, type Database, fileSchema } from "@retake/workspace";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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

test("[S3] refuses a store of a newer version and leaves it untouched", () => {
  openDatabase(file).close();
  const newer = new DatabaseSync(file);
  newer.exec(`PRAGMA user_version = ${storeSchema.steps.length + 1}`);
  newer.close();
  expect(() => openDatabase(file)).toThrow(/newer Retake/);
});

describe("a store from an older version", () => {
  const copies = () => readdirSync(folder).filter((name) => name.includes("copy") || name.includes(".before-"));
  beforeEach(() => {
    const older = new DatabaseSync(file);
    older.exec(`PRAGMA journal_mode = WAL; ${storeSchema.steps[0]}; PRAGMA user_version = 1`);
    older.exec("INSERT INTO packs (size) VALUES (7)");
    older.close();
  });

  test("[S3] is copied before it is migrated", () => {
    const database = openDatabase(file);
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: storeSchema.steps.length });
    expect(database.prepare("SELECT size FROM packs").get()).toEqual({ size: 7 });
    database.close();
    expect(copies()).toEqual([expect.stringContaining(".before-schema-")]);
  });

  test("[S3] is copied again where a kill has left half a copy", () => {
    writeFileSync(`${file}.unfinished-copy`, "half");
    writeFileSync(`${file}.unfinished-copy-journal`, "half");
    openDatabase(file).close();
    expect(copies()).toEqual([expect.stringContaining(".before-schema-")]);
  });

  test("[S3] [S8] is copied once and migrated once when several processes open it together", async () => {
    const holder = new DatabaseSync(file);
    holder.exec("BEGIN IMMEDIATE");
    const opener = `import { openDatabase } from "./open-database.ts"; console.log("opening"); openDatabase(process.argv[1]).close()`;
    const processes = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ["--input-type=module", "-e", opener, file], { cwd: import.meta.dirname }),
    );
    const ended = processes.map((child) => once(child, "close"));
    await Promise.all(processes.map((child) => once(child.stdout, "data")));
    holder.exec("COMMIT");
    holder.close();
    expect((await Promise.all(ended)).map(([status]) => status)).toEqual([0, 0, 0]);
    expect(copies()).toEqual([expect.stringContaining(".before-schema-")]);
    const copy = new DatabaseSync(join(folder, String(copies()[0])));
    expect(copy.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    copy.close();
  });
});

test("joined transactions are one: an error rolls all of it back", () => {
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

test("the tables of files equal those of the workspace package", () => {
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
