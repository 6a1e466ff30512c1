import { type Context, createThread, listHistory, replaceEntries } from "@retake/core";
import { StoreError } from "@retake/workspace";
import { expect, test } from "vitest";
import { openDatabase } from "./open-database.ts";
import { ThreadStore } from "./thread-store.ts";

let ids = 0;
function context(): Context {
  ids += 1;
  return { id: `op${ids}`, at: 1_700_000_000_000 + ids, actor: { kind: "user" } };
}

test("[F51] a page of history reads a long operation without its changes", () => {
  const database = openDatabase(":memory:");
  const made = new ThreadStore(database, { outbox: true });
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  made.place("T-1", "/w");
  made.change("T-1", () => createThread(context(), { origin, take: "t1", title: "main" }));
  const entries = Array.from({ length: 3000 }, (_, index) => ({
    id: `e${index}`,
    content: "what an entry says ".repeat(9),
  }));
  const put = made.change("T-1", ({ state }) => replaceEntries(state, context(), { entries }));
  if ("code" in put) throw new Error(put.message);

  // Another process reads it.
  const store = new ThreadStore(database, { outbox: true });
  const page = () =>
    store.read("T-1", (history) => [...listHistory(history)].map(({ operation: { diff: _, ...head } }) => head));
  const { diff, ...head } = put;
  expect(store.read("T-1", (history) => history.operation(put.id)?.diff)).toEqual(diff);
  expect(page()[0]).toEqual(head);
  expect(store.verify("T-1")).toEqual([]);

  database.run("UPDATE operations SET body = ? WHERE id = ?", "x".repeat(500_000), put.id);
  const other = new ThreadStore(database, { outbox: true });
  expect(other.read("T-1", (history) => [...listHistory(history)][0]?.operation.kind)).toBe("entries-replaced");
  expect(() => other.read("T-1", (history) => history.operation(put.id)?.diff.changes)).toThrow(StoreError);
  expect(other.verify("T-1")).toHaveLength(1);
  database.close();
});
