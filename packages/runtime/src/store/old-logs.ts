import { hash } from "node:crypto";
import { decode, hashOperation, type OperationV1, operationV1 } from "@retake/core";
import type { Database } from "@retake/workspace";

/**
 * The tables with the log of a 0.1.0 store, set aside: all operations of all threads, in the order of their commits.
 */
export const SET_ASIDE = [
  `CREATE TABLE old_operations (
    sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, thread TEXT NOT NULL, version INTEGER NOT NULL,
    hash BLOB NOT NULL, body TEXT NOT NULL
  ) STRICT`,
  "INSERT INTO old_operations SELECT sequence, id, thread, version, hash, body FROM operations",
  "CREATE TABLE old_threads (id TEXT PRIMARY KEY, title TEXT NOT NULL, workspace_root TEXT NOT NULL, head TEXT NOT NULL) STRICT",
  "INSERT INTO old_threads SELECT id, title, workspace_root, head FROM threads",
];

export interface OldOperation {
  readonly sequence: number;
  readonly thread: string;
  /** An object with a problem when it cannot be trusted. */
  readonly operation: OperationV1 | { readonly problem: string };
}

/** One at a time: a log may not fit into memory. */
export function* oldOperations(database: Database): Generator<OldOperation> {
  const next = database.prepare("SELECT * FROM old_operations WHERE sequence > ? ORDER BY sequence LIMIT 1");
  for (let row = next.get(0); row; row = next.get(Number(row["sequence"]))) {
    const { sequence, thread, id, body } = row;
    const digest = Buffer.from(row["hash"] as Uint8Array).toString("hex");
    const operation = readOld(database, { id: String(id), digest, body: String(body) });
    yield { sequence: Number(sequence), thread: String(thread), operation };
  }
}

/** The threads whose log differs from what was committed, each with the problem. */
export function damagedLogs(database: Database): Map<string, string> {
  const damaged = new Map<string, string>();
  for (const { thread, operation } of oldOperations(database))
    if ("problem" in operation && !damaged.has(thread)) damaged.set(thread, operation.problem);
  const cut = database.prepare(
    "SELECT id, head FROM old_threads WHERE NOT EXISTS (SELECT 1 FROM old_operations WHERE old_operations.id = head)",
  );
  for (const { id, head } of cut.all())
    if (!damaged.has(String(id))) damaged.set(String(id), `its last operation ${head} is missing`);
  return damaged;
}

function readOld(
  database: Database,
  { id, digest, body }: { readonly id: string; readonly digest: string; readonly body: string },
): OldOperation["operation"] {
  const decoded = decode(operationV1, parsed(body));
  if (decoded.kind === "unreadable") return { problem: `operation ${id} is not readable` };
  const operation = decoded.value;
  const parents: string[] = [];
  for (const parent of operation.parents) {
    const row = database.prepare("SELECT lower(hex(hash)) AS hash FROM old_operations WHERE id = ?").get(parent);
    if (!row) return { problem: `operation ${id} follows ${parent}, which is missing` };
    parents.push(String(row["hash"]));
  }
  const computed = hashOperation(operation, parents, (text) => hash("sha256", text));
  if (operation.id === id && computed === digest) return operation;
  return { problem: `the content of operation ${id} is not what was committed` };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
