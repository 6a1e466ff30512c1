import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openPool } from "../testing/start-postgres.ts";
import { blob, operation } from "../testing/test-device.ts";
import { deviceOf, TestServers } from "../testing/test-servers.ts";

const servers = new TestServers();
beforeAll(() => servers.open());
afterEach(() => servers.stopAll());
afterAll(() => servers.close());

/** The tables that version 2 had in another form. */
const BEFORE = [
  "ALTER TABLE operations RENAME TO present",
  `CREATE TABLE operations (
     vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE, thread TEXT NOT NULL, id TEXT NOT NULL,
     tag TEXT NOT NULL, seq BIGINT NOT NULL, segment TEXT NOT NULL, PRIMARY KEY (vault, thread, id))`,
  "INSERT INTO operations SELECT vault, thread, id, 'tag', seq, 'segment' FROM present",
  "DROP TABLE present",
  "ALTER TABLE needs RENAME TO present",
  `CREATE TABLE needs (
     vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE, name TEXT NOT NULL, thread TEXT NOT NULL,
     seq BIGINT NOT NULL, PRIMARY KEY (vault, name, thread, seq))`,
  "INSERT INTO needs SELECT vault, name, thread, seq FROM present",
  "DROP TABLE present",
  "CREATE INDEX needs_by_thread ON needs (vault, thread, seq)",
];

/** Runs statements of which the last may be a query. */
async function rowsOf(db: string, ...statements: readonly string[]): Promise<unknown[]> {
  const last = statements.at(-1) ?? "";
  if (db.startsWith("postgresql:")) {
    const pool = openPool(db, 1);
    for (const each of statements.slice(0, -1)) await pool.query(each);
    const { rows } = await pool.query(last);
    await pool.end();
    return rows;
  }
  const database = new DatabaseSync(db);
  for (const each of statements.slice(0, -1)) database.exec(each);
  const rows = database.prepare(last).all();
  database.close();
  return rows;
}

describe.each(servers.databases)("tables on %s", (name, createDatabase) => {
  const isPostgres = name === "PostgreSQL";

  test("[L5] of version 2 keep their operations, and get the same walls as new ones", async () => {
    const db = await createDatabase();
    const before = await servers.start(db);
    const { url: _, ...device } = await deviceOf(before).then(async (each) => {
      await each.putPack([blob("content")]);
      await each.register("t");
      await each.push("t", [operation("a"), operation("b", "a")], { blobs: [blob("content").name] });
      return each;
    });
    await servers.stopAll();
    const shape = isPostgres
      ? `SELECT table_name, column_name, data_type, collation_name, (
           SELECT qual FROM pg_policies WHERE tablename = table_name) AS policy, (
           SELECT count(*) FROM information_schema.role_table_grants AS grants
           WHERE grants.table_name = columns.table_name AND grantee = 'retake_sync_vault') AS grants
         FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, column_name`
      : "SELECT name, replace(sql, '\"', '') AS sql FROM sqlite_schema ORDER BY name";
    const present = await rowsOf(db, shape);
    const setVersion = isPostgres ? "UPDATE retake_sync_schema SET version = 2" : "PRAGMA user_version = 2";
    await rowsOf(db, ...BEFORE, setVersion);
    expect(await rowsOf(db, shape)).not.toEqual(present);

    const server = await servers.start(db);
    expect(await rowsOf(db, shape)).toEqual(present);
    const again = Object.assign(await deviceOf(server), device);
    expect(await again.push("t", [operation("a"), operation("b", "a")])).toMatchObject({ answer: { seq: 1 } });
    expect(await again.push("t", [operation("c", "b")])).toMatchObject({ answer: { seq: 2 } });
    expect(await rowsOf(db, "SELECT name, seq FROM needs")).toMatchObject([{ name: blob("content").name }]);
  });

  test("[L5] have no row of a vault that was deleted", async () => {
    const db = await createDatabase();
    const device = await deviceOf(await servers.start(db));
    await device.putPack([blob("content")]);
    await device.register("t");
    await device.push("t", [operation("a")], { blobs: [blob("content").name] });
    const rowsIn = async (table: string) => (await rowsOf(db, `SELECT vault FROM ${table}`)).length;
    for (const table of ["operations", "needs", "segments"]) expect(await rowsIn(table)).toBe(1);
    await device.call("deleteVault", { vault: device.vault });
    for (const table of ["operations", "needs", "segments", "changes", "threads", "devices"])
      expect(await rowsIn(table)).toBe(0);
  });
});
