import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type Built,
  type Context,
  completePlan,
  createThread,
  finishTurn,
  hashPrefix,
  importEntries,
  planRedo,
  planUndo,
  type State,
  startTurn,
} from "@retake/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storeSchema } from "./migrations.ts";
import { NAME_SCHEMA, NameIndex } from "./name-index.ts";
import { openStorePart, type StorePart } from "./store-part.ts";
import { watchPlans } from "./testing/watch-plans.ts";

let folder: string;
let store: StorePart;
let ids = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-names-"));
  store = openStorePart(folder, { outbox: true });
  store.threads.place("T-1", "/w");
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  change((_, context) => createThread(context, { origin, title: "main", take: "t1" }));
  for (const turn_id of ["one", "two", "three"]) {
    change((state, context) =>
      startTurn(state, context, { turn_id, prompt: { id: `${turn_id}.prompt`, content: "x" } }),
    );
    change((state, context) => finishTurn(state, context, { turn_id, status: "finished" }));
  }
});
afterEach(() => {
  store.database.close();
  rmSync(folder, { recursive: true });
});

function change(build: (state: State, context: Context) => Built): void {
  ids += 1;
  const context: Context = { id: `op${ids}`, at: 1_700_000_000_000 + ids, actor: { kind: "user" } };
  const done = store.threads.change("T-1", ({ state }) => build(state, context));
  if ("code" in done) throw new Error(done.message);
}

const index = () => new NameIndex(store.database);

test("[N5] finds operations by the beginning of their hash, in order, up to the limit", () => {
  const all = [...store.threads.operations("T-1")].map(({ id }) => ({ id, hash: store.threads.hashOf(id) }));
  expect(all).toHaveLength(7);
  for (const { id, hash } of all) {
    const name = index().operationName("T-1", id);
    expect(index().operations("T-1", hashPrefix(name) ?? "", 9)).toEqual([id]);
    for (const length of [0, 1, 5, 64]) {
      const prefix = hash.slice(0, length);
      const begins = all.filter((each) => each.hash.startsWith(prefix)).sort((a, b) => (a.hash < b.hash ? -1 : 1));
      expect(index().operations("T-1", prefix, 3)).toEqual(begins.slice(0, 3).map((each) => each.id));
    }
  }
  expect(index().operations("T-2", "", 3)).toEqual([]);
});

test("[N1] finds turns by id and by number", () => {
  expect(index().turn("T-1", "two")).toMatchObject({ id: "two", number: 2 });
  expect(index().turn("T-2", "two")).toBeUndefined();
  expect(index().numbered("T-1", 3)).toMatchObject([{ id: "three" }]);
  expect(index().numbered("T-1", 4)).toEqual([]);
});

test("[N1] [D7] finds imported turns, and does not add a turn again that comes back", () => {
  const turn = { id: "elsewhere", number: 9, prompt: "x", status: "finished" };
  change((state, context) =>
    importEntries(state, context, { turn, entries: [{ id: "elsewhere.prompt", content: "x" }] }),
  );
  const found = index().turn("T-1", "elsewhere");
  expect(found).toMatchObject({ number: 9, operation: `op${ids}` });
  for (const plan of [planUndo, planRedo])
    store.threads.change("T-1", (history) => {
      const planned = plan(history, {});
      const context = { id: `op${++ids}`, at: 1_700_000_000_000 + ids, actor: { kind: "user" as const } };
      return planned.kind === "plan" ? completePlan(history, context, planned) : (planned as never);
    });
  expect(index().turn("T-1", "elsewhere")).toEqual(found);
});

test("[N5] [N1] every look-up uses an index, however long the thread", () => {
  const { watched, plans } = watchPlans(store.database);
  const names = new NameIndex(watched);
  names.operationName("T-1", [...store.threads.operations("T-1")][0]?.id ?? "");
  names.operations("T-1", "ab", 5);
  names.turn("T-1", "one");
  names.numbered("T-1", 1);
  expect(plans.length).toBeGreaterThan(5);
  // Operations with the same beginning are few, and sorted.
  for (const plan of plans) expect(plan).toMatch(/^(SEARCH .* USING |USE TEMP B-TREE FOR ORDER BY$)/);
  expect(plans.filter((plan) => plan.includes("operations_by_hash"))).toHaveLength(2);
  expect(plans).toContain("SEARCH turns USING PRIMARY KEY (thread=? AND turn=?)");
  expect(plans).toContain("SEARCH turns USING INDEX turns_by_number (thread=? AND number=?)");
});

test("[S3] a migrated store has the names of its turns, and keeps unreadable rows unchanged", () => {
  store.database.close();
  const database = new DatabaseSync(join(folder, "retake.db"));
  const step = storeSchema.steps.indexOf(NAME_SCHEMA);
  const later = storeSchema.steps.slice(step).join("\n");
  for (const [, table] of later.matchAll(/CREATE TABLE (\w+)/g)) database.exec(`DROP TABLE ${table}`);
  for (const [, table, column] of later.matchAll(/ALTER TABLE (\w+) DROP COLUMN (\w+)/g))
    database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ANY`);
  for (const [, name] of later.matchAll(/CREATE INDEX (\w+)/g)) database.exec(`DROP INDEX IF EXISTS ${name}`);
  database.exec(`PRAGMA user_version = ${step}`);
  database.exec(
    "UPDATE operations SET body = 'half {' WHERE id = (SELECT id FROM operations ORDER BY sequence DESC LIMIT 1)",
  );
  database.close();
  store = openStorePart(folder, { outbox: true });
  const found = [1, 2, 3].flatMap((number) => index().numbered("T-1", number));
  expect(found.map(({ id, number }) => [id, number])).toEqual([
    ["one", 1],
    ["two", 2],
    ["three", 3],
  ]);
  expect(store.database.prepare("SELECT count(*) AS damaged FROM operations WHERE body = 'half {'").get()).toEqual({
    damaged: 1,
  });
});
