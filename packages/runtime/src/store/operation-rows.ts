import { hash } from "node:crypto";
import {
  type Diff,
  decode,
  encode,
  equal,
  hashOperation,
  type Json,
  MissingOperationError,
  type Operation,
  type OperationId,
  operationFormat,
} from "@retake/core";
import { type Database, StoreError } from "@retake/workspace";
import { insertRows } from "./insert-rows.ts";
import { KnownOperations } from "./known-operations.ts";
import { noteTurns } from "./name-index.ts";
import type { StoredOperation } from "./stored-operations.ts";

/** An operation that was committed elsewhere, as it is stored there. */
export interface ReceivedOperation {
  readonly operation: Operation;
  readonly stored: StoredOperation;
}

/** The operations of a store: reads one or those of a group, and adds one. */
export class OperationRows {
  readonly #database: Database;
  readonly #cache = new KnownOperations();

  constructor(database: Database) {
    this.#database = database;
  }

  /** With `thread`, only an operation of that thread. */
  get(id: OperationId, thread?: string): Operation | undefined {
    const found = this.#database.prepare("SELECT hash, thread FROM operations WHERE id = ?").get(id);
    if (!found || (thread !== undefined && found["thread"] !== thread)) return undefined;
    return this.#read(id, found["hash"] as Uint8Array);
  }

  required(id: OperationId): Operation {
    const operation = this.get(id);
    if (!operation) throw new MissingOperationError(id);
    return operation;
  }

  /** The operations of a group, oldest first. */
  group(thread: string, group: OperationId): Operation[] {
    return this.#database
      .prepare("SELECT id, hash FROM operations WHERE thread = ? AND group_id = ? ORDER BY version, sequence")
      .all(thread, group)
      .map((row) => this.#read(row["id"] as string, row["hash"] as Uint8Array));
  }

  /** The operations of a thread, in the order of their commits. */
  *all(thread: string): Generator<Operation> {
    const rows = this.#database.prepare("SELECT id FROM operations WHERE thread = ? ORDER BY version, sequence");
    for (const row of rows.all(thread)) yield this.required(row["id"] as string);
  }

  /** Returns its hash. `head` is the known hash of the thread's head, which is then not read again. */
  add(thread: string, operation: Operation, head: KnownHash): string {
    const digest = this.#hash(operation, head);
    const body = JSON.stringify(encode(operationFormat, operation));
    this.insert(thread, [{ operation, stored: { id: operation.id, hash: digest, body } }]);
    // Most undos are of the last operations.
    this.#cache.add(Buffer.from(digest, "hex").toString("latin1"), operation, body.length);
    return digest;
  }

  /** Adds operations as they are stored elsewhere: their texts, and their verified hashes. */
  insert(thread: string, added: readonly ReceivedOperation[]): void {
    const into = "INSERT INTO operations (id, thread, version, group_id, hash, outline, body)";
    const rows = added.map(({ operation, stored: { hash: digest, body } }) => {
      const { id, version, group } = operation;
      return [id, thread, version, group, Buffer.from(digest, "hex"), outlineOf(operation, body), body];
    });
    insertRows(this.#database, into, rows);
    for (const { operation } of added) noteTurns(this.#database, thread, operation);
  }

  /** Checks that every operation of a thread is unchanged since its commit, and in its original order. */
  verify(thread: string): { readonly operation: OperationId; readonly problem: string }[] {
    const problems: { operation: OperationId; problem: string }[] = [];
    const rows = this.#database
      .prepare("SELECT id, lower(hex(hash)) AS hash, outline, body FROM operations WHERE thread = ? ORDER BY version")
      .all(thread);
    for (const row of rows) {
      const [id, body] = [row["id"] as string, row["body"] as string];
      const decoded = decode(operationFormat, parse(body));
      if (decoded.kind === "unreadable") problems.push({ operation: id, problem: decoded.message });
      else if (row["hash"] !== this.#hash(decoded.value) || !isOutline(row["outline"], decoded.value, body)) {
        problems.push({ operation: id, problem: "its content is not what was committed" });
      }
    }
    return problems;
  }

  hashOf(id: OperationId): string {
    const row = this.#database.prepare("SELECT lower(hex(hash)) AS hash FROM operations WHERE id = ?").get(id);
    if (!row) throw new MissingOperationError(id);
    return row["hash"] as string;
  }

  /** The hash of the operation and of its parents' hashes. */
  #hash(operation: Operation, head?: KnownHash): string {
    const parents = operation.parents.map((id) =>
      id === head?.id && head.hash !== undefined ? head.hash : this.hashOf(id),
    );
    return hashOperation(operation, parents, (text) => hash("sha256", text));
  }

  #read(id: OperationId, digest: Uint8Array): Operation {
    const key = Buffer.from(digest).toString("latin1");
    const known = this.#cache.get(key);
    if (known) return known;
    const { outline, body } = this.#database
      .prepare("SELECT outline, iif(outline IS NULL, body, NULL) AS body FROM operations WHERE id = ?")
      .get(id) as { outline: string | null; body: string | null };
    if (outline === null) return this.#learn(id, key, body ?? "");
    const operation = readOperation(id, outline);
    return { ...operation, diff: lateDiff(operation.diff, () => this.#readWhole(id, key).diff.changes) };
  }

  #readWhole(id: OperationId, key: string): Operation {
    const body = this.#database.prepare("SELECT body FROM operations WHERE id = ?").get(id)?.["body"];
    return this.#learn(id, key, String(body));
  }

  #learn(id: OperationId, key: string, body: string): Operation {
    const operation = readOperation(id, body);
    this.#cache.add(key, operation, body.length);
    return operation;
  }
}

/** A longer operation is read without its changes until they are needed. */
const LONG = 16 * 1024;

/** The content of a long operation without its changes. */
function outlineOf(operation: Operation, body: string): string | null {
  if (body.length <= LONG) return null;
  return JSON.stringify(encode(operationFormat, { ...operation, diff: { ...operation.diff, changes: [] } }));
}

function isOutline(found: unknown, operation: Operation, body: string): boolean {
  const expected = outlineOf(operation, body);
  if (typeof found !== "string" || expected === null) return found === expected;
  return equal(parse(found) as Json, parse(expected) as Json);
}

/** A diff whose changes are read on first use: an import is one operation with all entries. */
function lateDiff(diff: Diff, read: () => Diff["changes"]): Diff {
  let changes: Diff["changes"] | undefined;
  return {
    ...diff,
    get changes() {
      changes ??= read();
      return changes;
    },
  };
}

function readOperation(id: OperationId, text: string): Operation {
  const decoded = decode(operationFormat, parse(text));
  if (decoded.kind === "unreadable") throw new StoreError("unreadable", `Operation ${id}: ${decoded.message}`);
  return decoded.value;
}

interface KnownHash {
  readonly id: OperationId | null;
  readonly hash: string | undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
