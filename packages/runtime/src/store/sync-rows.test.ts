import { expect, test } from "vitest";
import { openDatabase } from "./open-database.ts";
import { SyncRows } from "./sync-rows.ts";
import { watchPlans } from "./testing/watch-plans.ts";

const database = openDatabase(":memory:");
const rows = new SyncRows(database);

/** Ids say nothing about the order of operations. */
function commit(thread: string, ...ids: readonly string[]): void {
  for (const id of ids) {
    database.run(
      "INSERT INTO operations (id, thread, version, group_id, hash, body) VALUES (?, ?, 1, ?, x'00', '{}')",
      ...[id, thread, id],
    );
    database.run("INSERT INTO outbox (operation, thread) VALUES (?, ?)", id, thread);
  }
}

test("[L6] gives the first operations of a thread in the order of their commits, also after they were queued again", () => {
  commit("one", "c", "a");
  commit("two", "z", "y");
  commit("one", "d", "b");
  const first = (most: number) => [...rows.outbox("one")].slice(0, most).map(({ id }) => id);
  expect([first(3), first(9)]).toEqual([
    ["c", "a", "d"],
    ["c", "a", "d", "b"],
  ]);
  rows.confirm(["c", "a"]);
  expect(first(1)).toEqual(["d"]);
  rows.requeue("one");
  expect([first(1), first(9)]).toEqual([["c"], ["c", "a", "d", "b"]]);
  rows.confirm(["c", "z"]);
  rows.clear();
  expect([first(1), first(9)]).toEqual([["c"], ["c", "a", "d", "b"]]);
  expect(rows.pending()).toEqual(
    new Map([
      ["one", 4],
      ["two", 2],
    ]),
  );
});

test("[L6] writes a state only when it is another one, so that nothing is flushed for the same", () => {
  const changes = () => Number(database.prepare("SELECT total_changes() AS count").get()?.["count"]);
  const vault = { ...rows.vault(), cursor: "1.ab" };
  const { state } = rows.thread("three");
  rows.setVault(vault);
  rows.setThread("three", state);
  const before = changes();
  rows.setVault(vault);
  rows.setThread("three", state);
  expect(changes()).toBe(before);
  rows.setVault({ ...vault, cursor: "2.cd" });
  rows.setThread("three", { ...state, last_seq: 7 });
  expect([rows.vault().cursor, rows.thread("three").state.last_seq]).toEqual(["2.cd", 7]);
});

test("[L6] the last tree of a thread that is still captured is found without a look at its others", () => {
  for (const tree of ["first", "second", "third", "of another"])
    database.run(
      "INSERT INTO captures (name, follows, created_at, files, bytes, changes, distance, receipt) VALUES (?, '', 0, 0, 0, x'', 0, '{}')",
      tree,
    );
  const { watched, plans } = watchPlans(database);
  const looked = new SyncRows(watched);
  expect(looked.lastTree("four")).toBeUndefined();
  for (const tree of ["first", "second", "third", "gone"]) rows.addTree("four", tree);
  rows.addTree("five", "of another");
  expect([looked.lastTree("four"), looked.lastTree("five")]).toEqual(["third", "of another"]);
  expect(plans.filter((plan) => plan.includes("B-TREE"))).toEqual([]);
});
