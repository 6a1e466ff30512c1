import { hash } from "node:crypto";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  activeTake,
  type Context,
  createThread,
  decode,
  entries,
  hashOperation,
  insertEntry,
  operationV1,
  removeEntry,
} from "@retake/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { searchThreads } from "../search/search-threads.ts";
import { storeSchema } from "./migrations.ts";
import { openStorePart } from "./store-part.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-migrations-"));
  file = join(folder, "retake.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

let ids = 0;
function context(): Context {
  ids += 1;
  return { id: `op${ids}`, at: 1_700_000_000_000 + ids * 2000, actor: { kind: "user" } };
}

/** The version that first had threads. */
const oldest = 3;

/** Makes the store one of an older version: its tables as they were then, with what they could hold. */
function makeOlder(version: number): void {
  const current = join(folder, "current.db");
  copyFileSync(file, current);
  rmSync(file);
  const database = new DatabaseSync(file);
  for (const step of storeSchema.steps.slice(0, version))
    typeof step === "string" ? database.exec(step) : step(database);
  database.exec(`PRAGMA user_version = ${version}`);
  database.exec(`PRAGMA foreign_keys = OFF; ATTACH '${current}' AS newer`);
  const tables = database.prepare(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  for (const { name } of tables.all()) {
    const both = `SELECT name FROM pragma_table_info('${name}', 'main') INTERSECT SELECT name FROM pragma_table_info('${name}', 'newer')`;
    const columns = database.prepare(both).all();
    const list = columns.map((column) => column["name"]).join();
    if (!database.prepare("SELECT 1 FROM newer.sqlite_schema WHERE name = ?").get(name as string)) continue;
    // The tables that full-text search makes are its own affair.
    if (!String(name).startsWith("entry_words"))
      database.exec(`INSERT INTO main.${name} (${list}) SELECT ${list} FROM newer.${name}`);
  }
  // The index is not copied, so no entry may claim to be in it.
  if (version > oldest) database.exec("UPDATE entries SET words = NULL");
  if (version < LOGS_OF_VERSION_2) makeLogsOlder(database);
  database.close();
  rmSync(current);
}

const LOGS_OF_VERSION_2 = 12;

/** Until then no record said what can be taken back. */
function makeLogsOlder(database: DatabaseSync): void {
  const hashes = new Map<string, string>();
  for (const { id, body } of database.prepare("SELECT id, body FROM operations ORDER BY sequence").all()) {
    const operation = JSON.parse(String(body));
    const changes = operation.diff.changes.filter((change: { id: string }) => !/(^|\/)group:/.test(change.id));
    const older = { ...operation, format_version: 1, diff: { ...operation.diff, changes } };
    const read = decode(operationV1, older);
    if (read.kind === "unreadable") throw new Error(read.message);
    const parents = read.value.parents.map((parent) => hashes.get(parent) ?? "");
    const digest = hashOperation(read.value, parents, (text) => hash("sha256", text));
    hashes.set(String(id), digest);
    database
      .prepare("UPDATE operations SET body = ?, hash = ? WHERE id = ?")
      .run(JSON.stringify(older), Buffer.from(digest, "hex"), String(id));
  }
}

test.each(Array.from({ length: storeSchema.steps.length - oldest }, (_, index) => oldest + index))(
  "[S3] a store of version %i is copied, migrated, and whole; the copy can take its place again",
  async (version) => {
    const made = openStorePart(folder, { outbox: true });
    const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
    made.threads.place("T-1", "/w");
    made.threads.change("T-1", () => createThread(context(), { origin, take: "t1", title: "main" }));
    for (const content of ["one needle", "two", "three"])
      made.threads.change("T-1", ({ state }) =>
        insertEntry(state, context(), { entry: { id: content.slice(0, 3), content } }),
      );
    made.database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    made.database.close();
    makeOlder(version);
    const look = async (change: boolean) => {
      const store = openStorePart(folder, { outbox: true });
      const { threads, database } = store;
      if (change) threads.change("T-1", ({ state }) => removeEntry(state, context(), { entry: "two" }));
      const said = threads.read("T-1", ({ state }) =>
        [...entries(state, activeTake(state))].map(({ content }) => content),
      );
      const found = (await searchThreads(store, { words: "needle" })).length;
      database.close();
      return { said, found };
    };
    const whole = { said: ["one needle", "two", "three"], found: 1 };
    expect(await look(false)).toEqual(whole);
    const copies = readdirSync(folder).filter((name) => name.includes(`.before-schema-${storeSchema.steps.length}-`));
    expect(copies).toHaveLength(1);
    const copy = join(folder, copies[0] as string);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect((await look(true)).said).toEqual(["one needle", "three"]);
    copyFileSync(copy, file);
    for (const rest of ["-wal", "-shm"]) rmSync(`${file}${rest}`, { force: true });
    expect(await look(false)).toEqual(whole);
  },
);
