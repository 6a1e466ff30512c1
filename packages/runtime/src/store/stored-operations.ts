import { hash } from "node:crypto";
import {
  encode,
  hashOperation,
  isObject,
  MissingOperationError,
  type Operation,
  type OperationId,
  operationFormat,
} from "@retake/core";
import type { Database } from "@retake/workspace";

/** An operation as it is stored and sent: its text, and the hash of it and all its ancestors. */
export interface StoredOperation {
  readonly id: OperationId;
  readonly hash: string;
  readonly body: string;
}

/** An operation of a thread and all its ancestors, parents before their children; the same order in every store. */
export function operationsUpTo(database: Database, thread: string, head: OperationId): StoredOperation[] {
  const rows = database
    .prepare(
      `SELECT id, lower(hex(hash)) AS hash, body FROM operations WHERE thread = ?
       ORDER BY version DESC, id DESC`,
    )
    .all(thread) as unknown as StoredOperation[];
  const wanted = new Set([head]);
  const found: StoredOperation[] = [];
  for (const { id, hash, body } of rows) {
    if (!wanted.delete(id)) continue;
    found.push({ id, hash, body });
    for (const parent of parentsIn(body)) wanted.add(parent);
  }
  for (const missing of wanted) throw new MissingOperationError(missing);
  return found.reverse();
}

/** The hash of an operation in this store, and its thread. */
export function storedHash(
  database: Database,
  id: OperationId,
): { readonly thread: string; readonly hash: string } | undefined {
  const row = database.prepare("SELECT thread, lower(hex(hash)) AS hash FROM operations WHERE id = ?").get(id);
  return row && { thread: String(row["thread"]), hash: String(row["hash"]) };
}

/** An operation in the form in which it will be stored; its parents must be in this store. */
export function storedOperation(database: Database, operation: Operation): StoredOperation {
  const parents = operation.parents.map((id) => storedHash(database, id)?.hash ?? "");
  return {
    id: operation.id,
    hash: hashOperation(operation, parents, (text) => hash("sha256", text)),
    body: JSON.stringify(encode(operationFormat, operation)),
  };
}

function parentsIn(body: string): readonly string[] {
  const json: unknown = JSON.parse(body);
  const parents = isObject(json) ? json["parents"] : undefined;
  return Array.isArray(parents) ? parents.map(String) : [];
}
