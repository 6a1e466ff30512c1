import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../testing/start-postgres.ts";
import { PostgresDatabase } from "./postgres-database.ts";
import { insertAll, type Sql, type SqlDatabase } from "./sql-database.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const insert = (sql: Sql, vault: string) =>
  sql.run("INSERT INTO deleted_vaults (vault, deleted_at) VALUES (?, ?)", [vault, 1]);

describe.each([
  ["SQLite", async (): Promise<SqlDatabase> => new SqliteDatabase(":memory:")],
  ["PostgreSQL", async () => PostgresDatabase.open(await postgres.createDatabase())],
])("%s", (_, open) => {
  let database: SqlDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  const stored = async () => (await database.read("SELECT vault FROM deleted_vaults", [])).length;

  test("[L5] a commit stores the statements that were begun before it, however many there are", async () => {
    const rows = Array.from({ length: 7000 }, (_, index) => [`many ${index}`, 1]);
    await database.everywhere(async (sql) => {
      const all = insertAll(sql, "INSERT INTO deleted_vaults (vault, deleted_at) VALUES", rows);
      await Promise.all([all, sql.commit()]);
    });
    expect(await stored()).toBe(rows.length);
    await database.everywhere((sql) => sql.run("DELETE FROM deleted_vaults"));
  });

  test("[L5] a statement that fails keeps the commit after it from storing anything", async () => {
    const twice = database.everywhere((sql) => Promise.all([insert(sql, "a"), insert(sql, "a"), sql.commit()]));
    await expect(twice).rejects.toThrow(/unique/i);
    expect(await stored()).toBe(0);
    await database.everywhere((sql) => insert(sql, "b"));
    expect(await stored()).toBe(1);
  });

  test("[L5] a statement after the commit is refused", async () => {
    const late = database.everywhere(async (sql) => {
      await sql.commit();
      await insert(sql, "late");
    });
    await expect(late).rejects.toThrow("has ended");
  });
});
