import { DatabaseSync } from "node:sqlite";
import type { Database } from "@retake/workspace";
import { expect, test } from "vitest";
import { insertRows } from "./insert-rows.ts";

test.each([0, 1, 31, 32, 33, 100])("[L1] inserts %i rows, each once, in their order", (count) => {
  const connection = new DatabaseSync(":memory:");
  connection.exec("CREATE TABLE numbers (number INTEGER, text TEXT)");
  const run: Database["run"] = (sql, ...values) => {
    connection.prepare(sql).run(...values);
    return { changes: 0, id: 0 };
  };
  const rows = Array.from({ length: count }, (_, number) => [number, `text ${number}`]);
  insertRows({ run } as Database, "INSERT INTO numbers (number, text)", rows);
  const found = connection.prepare("SELECT number, text FROM numbers ORDER BY rowid").all();
  expect(found.map(({ number, text }) => [number, text])).toEqual(rows);
  connection.close();
});
