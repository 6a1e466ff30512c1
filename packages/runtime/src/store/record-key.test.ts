import { expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { openDatabase } from "./open-database.ts";
import { END, keyFrom, storedKey } from "./record-key.ts";

test("[F51] stored keys sort in SQLite as in JavaScript, and can be converted back", () => {
  const database = openDatabase(":memory:");
  const unit = fc.oneof(
    fc.constantFrom("a", "\u007f", "\u1000", "\ud7fe", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{1f600}"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  const key = fc.array(unit, { maxLength: 5 }).map((units) => units.join(""));
  fc.assert(
    fc.property(key, key, (a, b) => {
      const values = [storedKey(a), storedKey(b), storedKey(a), END];
      const row = database.prepare("SELECT ? < ? AS less, ? < ? AS last").get(...values);
      expect(row).toEqual({ less: Number(a < b), last: 1 });
      expect([keyFrom(storedKey(a)), keyFrom(storedKey(b))]).toEqual([a, b]);
    }),
    { numRuns: 500 },
  );
  database.close();
});
