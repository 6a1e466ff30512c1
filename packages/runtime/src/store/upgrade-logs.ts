import { decode, LogUpgrade, type OperationV1, operationV1 } from "@retake/core";
import { type Database, StoreError } from "@retake/workspace";
import { DiskLog } from "./disk-log.ts";
import { storedOperation } from "./stored-operations.ts";
import { ThreadStore } from "./thread-store.ts";

/**
 * Replaces the operations of a store of version 0.1.0 by those that version 2 of their format would have written, and
 * all rows by those that follow from them. The operations of all threads are replayed in the order of their commits, so
 * that the log of what lies on disk comes to be as if it had been kept from the beginning.
 *
 * It is part of the transaction that migrates the store: it is done, or the store is as it was. One operation is in
 * memory at a time. The outbox stays: it names operations, and they keep their ids.
 */
export function upgradeLogs(database: Database): void {
  for (const sql of SET_ASIDE) database.run(sql);
  let time = 0;
  const disk = new DiskLog(
    database,
    () => [],
    () => time,
  );
  // Without an outbox: the rows that it has are of the same operations.
  const threads = new ThreadStore(database, { outbox: false, disk });
  const logs = new Map<string, LogUpgrade>();
  const next = database.prepare(
    "SELECT sequence, thread, body FROM old_operations WHERE sequence > ? ORDER BY sequence LIMIT 1",
  );
  for (let row = next.get(0); row; row = next.get(Number(row["sequence"]))) {
    const thread = String(row["thread"]);
    const operation = readOld(String(row["body"]));
    const log = logs.get(thread) ?? new LogUpgrade((tree) => treeName(database, tree));
    logs.set(thread, log);
    time = operation.created_at;
    if (operation.parents.length === 0) beginOnDisk(database, disk, thread);
    replay(database, threads, thread, log, operation);
  }
  for (const sql of CLEAN_UP) database.run(sql);
}

const SET_ASIDE = [
  "CREATE TABLE old_operations (sequence INTEGER PRIMARY KEY, thread TEXT NOT NULL, body TEXT NOT NULL) STRICT",
  "INSERT INTO old_operations SELECT sequence, thread, body FROM operations",
  "DELETE FROM operations",
  // They are counted from 1 without holes.
  "DELETE FROM sqlite_sequence WHERE name = 'operations'",
  "DELETE FROM threads",
  "DELETE FROM takes",
  "DELETE FROM space_changes",
  "DELETE FROM records",
  "DELETE FROM entries",
  "DELETE FROM spaces",
  "INSERT INTO entry_words (entry_words) VALUES ('delete-all')",
];

const CLEAN_UP = ["DROP TABLE old_operations", "DELETE FROM capture_names"];

function replay(database: Database, threads: ThreadStore, thread: string, log: LogUpgrade, old: OperationV1): void {
  const head = database.prepare("SELECT head FROM threads WHERE id = ?").get(thread)?.["head"];
  if (old.parents[0] === head) {
    threads.change(thread, (history) => ({ kind: "operation", operation: log.upgrade(history, old) }));
    return;
  }
  // Of another line, which a merge brings in.
  const operation = threads.read(thread, (history) => log.upgrade(history, old));
  threads.receive(thread, operation, storedOperation(database, operation));
}

function beginOnDisk(database: Database, disk: DiskLog, thread: string): void {
  const place = database.prepare("SELECT workspace_root FROM places WHERE thread = ?").get(thread);
  if (place) disk.begin(String(place["workspace_root"]), thread);
}

function readOld(body: string): OperationV1 {
  const decoded = decode(operationV1, JSON.parse(body));
  if (decoded.kind === "unreadable")
    throw new StoreError("unreadable", `The store was not changed, because its log cannot be read: ${decoded.message}`);
  return decoded.value;
}

/** A tree that was given up before stays under its old name: there is nothing that it could be confused with. */
function treeName(database: Database, old: string): string {
  const row = database.prepare("SELECT name FROM capture_names WHERE old = ?").get(old);
  return row ? String(row["name"]) : old;
}
