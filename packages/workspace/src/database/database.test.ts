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
