import { DatabaseSync } from "node:sqlite";
import { creations, encodeChanges, encodeListing, type FileState, treeName } from "@retake/workspace";
import { expect, test } from "vitest";
import { storeSchema } from "./migrations.ts";
import { nameCaptures } from "./name-captures.ts";

const file = (digit: string): FileState => ({ kind: "file", hash: digit.repeat(64), size: 1, mode: 0o644 });

/** A store of version 7, in which two processes captured the same change. */
function olderStore(): DatabaseSync {
  const connection = new DatabaseSync(":memory:");
  for (const step of storeSchema.steps.slice(0, 7)) connection.exec(String(step));
  connection.exec("INSERT INTO workspaces (id, root) VALUES (1, x'2f77'), (2, x'2f78')");
  const add = connection.prepare(
    `INSERT INTO captures (id, workspace, parent, created_at, files, bytes, changes, distance, listing, receipt)
     VALUES (?, ?, ?, 0, 1, 1, ?, 0, ?, '{}')`,
  );
  const none = encodeChanges([]);
  const listing = encodeListing([["a", file("1")]]);
  const change = encodeChanges([{ path: "a", before: file("1"), after: file("2") }]);
  add.run(1, 1, null, none, listing);
  add.run(2, 1, 1, change, null);
  add.run(3, 1, 1, change, null);
  add.run(5, 1, 3, encodeChanges([{ path: "b", after: file("3") }]), null);
  add.run(6, 2, null, none, listing);
  const snapshot = connection.prepare(
    `INSERT INTO snapshots (id, workspace_root, thread, operation, kind, label, tree, created_at)
     VALUES (?, '/w', 'T-1', 'op', 'manual', 'x', ?, 0)`,
  );
  for (const tree of ["capture-3", "capture-5", "capture-4"]) snapshot.run(`S-${tree}`, tree);
  return connection;
}

test("[S3] captures of an older store get names from their lineage", () => {
  const connection = olderStore();
  nameCaptures(connection);
  const root = treeName("", creations([["a", file("1")]]));
  const child = treeName(root, [{ path: "a", before: file("1"), after: file("2") }]);
  const last = treeName(child, [{ path: "b", after: file("3") }]);
  const all = (sql: string) =>
    connection
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  expect(
    all("SELECT name, follows, (SELECT name FROM captures AS p WHERE p.id = captures.parent) FROM captures"),
  ).toEqual([
    [root, "", null],
    [child, root, root],
    [last, child, child],
  ]);
  expect(all("SELECT old, name FROM capture_names")).toEqual([
    ["capture-1", root],
    ["capture-2", child],
    ["capture-3", child],
    ["capture-5", last],
    ["capture-6", root],
  ]);
  expect(all("SELECT name FROM workspaces JOIN captures ON captures.id = last_capture ORDER BY workspaces.id")).toEqual(
    [[last], [root]],
  );
  // A capture that gc gave up has no name to get.
  expect(all("SELECT tree FROM snapshots")).toEqual([[child], [last], ["capture-4"]]);
  expect(all("PRAGMA foreign_key_check")).toEqual([]);
});
