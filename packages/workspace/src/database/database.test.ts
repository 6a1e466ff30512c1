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
