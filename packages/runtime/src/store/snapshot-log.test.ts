import type { Database } from "@retake/workspace";
import { expect, test } from "vitest";
import { shortId } from "../names/short-id.ts";
import { openDatabase } from "./open-database.ts";
import { SnapshotLog } from "./snapshot-log.ts";
import { watchPlans } from "./testing/watch-plans.ts";

function withSnapshots(ids: readonly string[]): Database {
  const database = openDatabase(":memory:");
  database.run(
    `INSERT INTO captures (name, follows, created_at, files, bytes, changes, distance, receipt) VALUES ('tree', '', 0, 0, 0, x'', 0, '{}')`,
  );
  for (const [index, id] of ids.entries()) {
    const thread = `T-${index % 2}`;
    database.run("INSERT OR IGNORE INTO places (thread, workspace_root) VALUES (?, ?)", thread, `/w${index % 2}`);
    const rest = { operation: "op", kind: "manual", label: "mine", tree: "tree", created_at: index } as const;
    new SnapshotLog(database).add({ id, thread, ...rest });
  }
  return database;
}

test("[P4] a snapshot's short name is the beginning that no other snapshot of the store has", () => {
  const ids = ["S-0000000001", "S-0000000010", "S-0000000011", "S-7000000000"];
  const database = withSnapshots(ids);
  const log = new SnapshotLog(database);
  expect(log.around("S-0000000010")).toEqual(["S-0000000001", "S-0000000011"]);
  expect(log.around("S-7000000000")).toEqual(["S-0000000011"]);
  const names = ids.map((id) => shortId(id, log.around(id)));
  expect(names).toEqual(["S-000000000", "S-0000000010", "S-0000000011", "S-700000"]);
  for (const [index, name] of names.entries())
    expect(log.named(`/w${index % 2}`, name).map(({ id }) => id)).toEqual([ids[index]]);
  database.close();
});

test("[P4] looks a snapshot up by its id, however many a workspace has", () => {
  const database = withSnapshots([]);
  const { watched, plans } = watchPlans(database);
  const log = new SnapshotLog(watched);
  log.named("/w", "S-1");
  log.around("S-1");
  const look = plans.filter((plan) => plan.includes("snapshots"));
  expect(look).toHaveLength(3);
  for (const plan of look)
    expect(plan).toMatch(/^SEARCH snapshots USING (COVERING )?INDEX sqlite_autoindex_snapshots_1 \(id[<>]/);
  database.close();
});
