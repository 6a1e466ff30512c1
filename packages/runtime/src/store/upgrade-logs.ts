import { LogUpgrade, type OperationV1 } from "@retake/core";
import { type Database, StoreError } from "@retake/workspace";
import { DiskLog } from "./disk-log.ts";
import { damagedLogs, oldOperations, SET_ASIDE } from "./old-logs.ts";
import { storedOperation } from "./stored-operations.ts";
import { ThreadStore } from "./thread-store.ts";

/**
 * Replaces the operations of a store of version 0.1.0 by those that version 2 of their format would have written, and
 * rebuilds all rows from them. The operations of all threads are replayed in the order of their commits, so that the
 * disk log becomes as if it had been kept from the beginning.
 *
 * It is part of the transaction that migrates the store: it succeeds, or the store is unchanged. Only one operation is
 * in memory at a time. The outbox stays: it names operations, and they keep their ids.
 *
 * A thread with a damaged log is set aside as a whole (`damaged-threads.ts`), and does not stop the others.
 */
export function upgradeLogs(database: Database): void {
  for (const sql of [...SET_ASIDE, ...CLEAR]) database.run(sql);
  const damaged = damagedLogs(database);
  // An unmodified log may still be inconsistent. Only replaying it shows that.
  for (;;) {
    database.run("SAVEPOINT replay");
    const broken = replayAll(database, damaged);
    if (!broken) break;
    damaged.set(broken.thread, broken.problem);
    database.run("ROLLBACK TO replay");
  }
  database.run("RELEASE replay");
  for (const [thread, problem] of damaged) putAside(database, thread, problem);
  for (const sql of CLEAN_UP) database.run(sql);
}

const CLEAR = [
  "DELETE FROM operations",
  // They are numbered from 1 without gaps.
  "DELETE FROM sqlite_sequence WHERE name = 'operations'",
  "DELETE FROM turns",
  "DELETE FROM threads",
  "DELETE FROM takes",
  "DELETE FROM lines",
  "DELETE FROM space_changes",
  "DELETE FROM records",
  "DELETE FROM entries",
  "DELETE FROM spaces",
  "INSERT INTO entry_words (entry_words) VALUES ('delete-all')",
];

const CLEAN_UP = [
  "DROP TABLE old_operations",
  "DROP TABLE old_threads",
  // Operations that were set aside name captures as 0.1.0 did.
  "DELETE FROM capture_names WHERE NOT EXISTS (SELECT 1 FROM damaged_operations)",
];

function replayAll(
  database: Database,
  damaged: ReadonlyMap<string, string>,
): { readonly thread: string; readonly problem: string } | undefined {
  let time = 0;
  const disk = new DiskLog(
    database,
    () => [],
    () => time,
  );
  // Without an outbox: its existing rows name the same operations.
  const threads = new ThreadStore(database, { outbox: false, disk });
  const logs = new Map<string, LogUpgrade>();
  for (const { thread, operation } of oldOperations(database)) {
    if (damaged.has(thread)) continue;
    if ("problem" in operation) throw new Error(operation.problem);
    const log = logs.get(thread) ?? new LogUpgrade((tree) => treeName(database, tree));
    logs.set(thread, log);
    time = operation.created_at;
    if (operation.parents.length === 0) beginOnDisk(database, disk, thread);
    try {
      replay(database, threads, thread, log, operation);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      return { thread, problem: `operation ${operation.id} does not fit those before it: ${(error as Error).message}` };
    }
  }
  return undefined;
}

function replay(database: Database, threads: ThreadStore, thread: string, log: LogUpgrade, old: OperationV1): void {
  const head = database.prepare("SELECT head FROM threads WHERE id = ?").get(thread)?.["head"];
  if (old.parents[0] === head) {
    threads.change(thread, (history) => ({ kind: "operation", operation: log.upgrade(history, old) }));
    return;
  }
  // It belongs to another line, which a merge brings in.
  const operation = threads.read(thread, (history) => log.upgrade(history, old));
  threads.receive(thread, operation, storedOperation(database, operation));
}

function putAside(database: Database, thread: string, problem: string): void {
  database.run(
    `INSERT INTO damaged_threads (id, title, workspace_root, problem)
     SELECT ?, coalesce(max(title), ''), coalesce(max(workspace_root), ''), ? FROM old_threads WHERE id = ?`,
    thread,
    problem,
    thread,
  );
  database.run("INSERT INTO damaged_operations SELECT * FROM old_operations WHERE thread = ?", thread);
  // A damaged operation cannot be sent, nor verified.
  database.run("DELETE FROM outbox WHERE thread = ?", thread);
}

function beginOnDisk(database: Database, disk: DiskLog, thread: string): void {
  const place = database.prepare("SELECT workspace_root FROM places WHERE thread = ?").get(thread);
  if (place) disk.begin(String(place["workspace_root"]), thread);
}

/** A tree that was deleted before keeps its old name: nothing else can have that name. */
function treeName(database: Database, old: string): string {
  const row = database.prepare("SELECT name FROM capture_names WHERE old = ?").get(old);
  return row ? String(row["name"]) : old;
}
