import { expect, test } from "vitest";
import { connect } from "./connect.ts";

test("[P3] a statement whose iteration failed can be used again at once", () => {
  const database = connect(":memory:");
  database.transaction(() => database.run("CREATE TABLE texts AS SELECT '{}' AS text UNION ALL SELECT '{bad'"));
  const read = (like: string) => [
    ...database.prepare("SELECT json_extract(text, '$') AS value FROM texts WHERE text LIKE ?").iterate(like),
  ];
  expect(() => read("%")).toThrow(/malformed JSON/);
  expect(read("{}")).toEqual([{ value: "{}" }]);
  database.close();
});

test("[F52] a connection keeps 2 MB of its file in memory, unless it is asked to keep more", () => {
  const database = connect(":memory:");
  const kept = () => database.prepare("PRAGMA cache_size").get()?.["cache_size"];
  expect(kept()).toBe(-2000);
  database.keepInMemory(16 * 1024);
  expect(kept()).toBe(-16 * 1024);
  database.close();
});

test("[H14] a rehearsal answers what its work would do, and leaves nothing", () => {
  const database = connect(":memory:");
  database.transaction(() => database.run("CREATE TABLE numbers (number INTEGER) STRICT"));
  const add = () => database.run("INSERT INTO numbers (number) VALUES (1)").changes;
  const count = () => database.prepare("SELECT count(*) AS count FROM numbers").get()?.["count"];
  const refuse = () => {
    add();
    throw new Error("refused");
  };
  expect([database.rehearse(add), count()]).toEqual([1, 0]);
  expect(() => database.rehearse(refuse)).toThrow("refused");
  expect(count()).toBe(0);
  expect(() => database.transaction(() => database.rehearse(add))).toThrow(/cannot be rolled back alone/);
  expect(() => database.snapshot(() => database.rehearse(add))).toThrow(/cannot be rolled back alone/);
  expect(count()).toBe(0);
  database.close();
});
