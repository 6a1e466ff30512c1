import { expect, test } from "vitest";
import { requireSqlite } from "./connect.ts";

test("refuses a version of SQLite that can lose commits", () => {
  expect(() => requireSqlite("3.51.2")).toThrow(/can lose commits/);
  expect(() => requireSqlite("3.9.9")).toThrow(/can lose commits/);
  expect(() => requireSqlite("3.51.3")).not.toThrow();
  expect(() => requireSqlite("4.0.0")).not.toThrow();
});
