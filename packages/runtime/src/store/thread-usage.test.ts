import { type Built, type Context, createThread, finishTurn, type State, startTurn } from "@retake/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "./open-database.ts";
import { ThreadStore } from "./thread-store.ts";
import { readUsage, threadUsage } from "./thread-usage.ts";

let database: ReturnType<typeof openDatabase>;
let store: ThreadStore;
let ids = 0;

beforeEach(() => {
  database = openDatabase(":memory:");
  store = new ThreadStore(database, { outbox: true });
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  store.place("T-1", "/w");
  change((_, context) => createThread(context, { origin, title: "main", take: "t1" }));
});
afterEach(() => database.close());

function change(build: (state: State, context: Context) => Built): void {
  ids += 1;
  const actor = { kind: "agent", name: "a/b" } as const;
  const context = { id: `op${ids}`, at: 1_700_000_000_000 + ids, actor };
  const done = store.change("T-1", ({ state }) => build(state, context));
  if ("code" in done) throw new Error(done.message);
}

function turn(turn_id: string): void {
  const usage = { input_tokens: 10, output_tokens: 1 };
  change((state, context) => startTurn(state, context, { turn_id, prompt: { id: turn_id, content: "x" } }));
  change((state, context) => finishTurn(state, context, { turn_id, status: "finished", fields: { usage } }));
}

const spent = (turns: number) => [{ model: "a/b", turns, usage: { input_tokens: 10 * turns, output_tokens: turns } }];

test("the usage of a thread is that of all turns, and each operation of its log is read once", () => {
  for (const name of ["one", "two", "three"]) turn(name);
  expect(threadUsage(database, "T-1")).toEqual(spent(3));
  expect(threadUsage(database, "T-2")).toEqual([]);
  // Read again, they would be found to tell of nothing.
  database.run("UPDATE operations SET body = '{}'");
  turn("four");
  expect(threadUsage(database, "T-1")).toEqual(spent(4));
});

test("the log is read in parts", () => {
  for (const name of ["one", "two"]) turn(name);
  const parts = [];
  while (!readUsage(database, "T-1", 2)) parts.push("part");
  expect(parts).toHaveLength(2);
  expect(threadUsage(database, "T-1")).toEqual(spent(2));
});

test("[S7] forgets the usage of a turn that was rolled back", () => {
  turn("one");
  expect(() =>
    database.transaction(() => {
      turn("two");
      expect(threadUsage(database, "T-1")).toEqual(spent(2));
      throw new Error("rolled back");
    }),
  ).toThrow("rolled back");
  expect(threadUsage(database, "T-1")).toEqual(spent(1));
});
