import {
  FEWEST_LETTERS,
  type History,
  keyOf,
  kindOf,
  type Operation,
  type OperationId,
  operationName,
} from "@retake/core";
import type { Database } from "@retake/workspace";

/**
 * The index in which the names of a thread's turns and operations are looked up; a look-up reads a few rows, however
 * long the thread.
 */
export const NAME_SCHEMA = `
  CREATE INDEX operations_by_hash ON operations (thread, hash);

  /** Every turn that ever began, also undone turns and those of other lines. */
  CREATE TABLE turns (
    thread TEXT NOT NULL,
    turn TEXT NOT NULL,
    number INTEGER NOT NULL,
    /** The operation that began it, or imported it with a document. */
    operation TEXT NOT NULL,
    PRIMARY KEY (thread, turn)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX turns_by_number ON turns (thread, number);
  /** Operations in version 1 of their format have no numbers; they are replayed after the last migration. */
  INSERT OR IGNORE INTO turns (thread, turn, number, operation)
    SELECT thread, substr(change.value ->> '$.id', instr(change.value ->> '$.id', '/turn:') + 6),
      change.value ->> '$.after.number', sound.id
    FROM (SELECT sequence, id, thread, iif(json_valid(body), body, '{}') AS body FROM operations) AS sound,
      json_each(sound.body, '$.diff.changes') AS change
    WHERE change.value ->> '$.kind' = 'create' AND change.value ->> '$.id' LIKE '%/turn:%'
      AND json_type(change.value, '$.after.number') = 'integer'
    ORDER BY sequence;
`;

/**
 * The first four bytes of a hash are enough to find it. Hashes come in no order, so every page of this index changes with
 * each few operations: with whole hashes and threads in it, it was most of the cost of storing them.
 */
export const SHORT_HASH_SCHEMA = `
  DROP INDEX operations_by_hash;
  CREATE INDEX operations_by_hash ON operations (substr(hash, 1, 4));
`;

/** How a turn began, or was imported. */
export interface TurnStart {
  readonly id: string;
  readonly number: number;
  readonly operation: OperationId;
}

/** Records the turns that an operation begins or imports; a turn that comes back is already known. */
export function noteTurns(database: Database, thread: string, { id, diff }: Operation): void {
  for (const change of diff.changes) {
    if (change.kind !== "create" || kindOf(change.id) !== "turn") continue;
    const { number } = change.after;
    if (!Number.isSafeInteger(number)) continue;
    database.run(
      "INSERT OR IGNORE INTO turns (thread, turn, number, operation) VALUES (?, ?, ?, ?)",
      ...[thread, keyOf(change.id), Number(number), id],
    );
  }
}

/** Where names are made and looked up: the current state of a thread, and the index of its log. */
export interface NameScope {
  readonly thread: string;
  readonly history: History;
  readonly index: NameIndex;
}

export class NameIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The name of an operation of this store. */
  operationName(thread: string, operation: OperationId): string {
    const hash = this.#database.prepare("SELECT hash FROM operations WHERE id = ?").get(operation)?.["hash"];
    if (!(hash instanceof Uint8Array)) return operation;
    const digits = hex(hash);
    const alike = this.#beginningWith(thread, digits.slice(0, FEWEST_LETTERS), "hash", Number.MAX_SAFE_INTEGER);
    return operationName(
      digits,
      alike.map((row) => hex(row["hash"])).filter((other) => other !== digits),
    );
  }

  /** Operations of a thread whose hashes begin with `prefix`, the first `limit` in the order of their hashes. */
  operations(thread: string, prefix: string, limit: number): OperationId[] {
    return this.#beginningWith(thread, prefix, "id", limit).map((row) => String(row["id"]));
  }

  /** All threads share the index. Hashes are evenly spread, so few operations of others have the same beginning. */
  #beginningWith(thread: string, prefix: string, column: "hash" | "id", limit: number) {
    const [first, last] = [Buffer.from(prefix.padEnd(64, "0"), "hex"), Buffer.from(prefix.padEnd(64, "f"), "hex")];
    return this.#database
      .prepare(
        `SELECT ${column} FROM operations
         WHERE substr(hash, 1, 4) BETWEEN ? AND ? AND +thread = ? AND hash BETWEEN ? AND ? ORDER BY hash LIMIT ?`,
      )
      .all(first.subarray(0, 4), last.subarray(0, 4), thread, first, last, limit);
  }

  turn(thread: string, id: string): TurnStart | undefined {
    const row = this.#database.prepare(`SELECT ${START} FROM turns WHERE thread = ? AND turn = ?`).get(thread, id);
    return row && startOf(row);
  }

  /**
   * The turns with a number: several if machines that worked separately each used it. By itself SQLite would read all turns
   * of the thread.
   */
  numbered(thread: string, number: number): TurnStart[] {
    return this.#database
      .prepare(`SELECT ${START} FROM turns INDEXED BY turns_by_number WHERE thread = ? AND number = ? ORDER BY turn`)
      .all(thread, number)
      .map(startOf);
  }
}

const START = "turn AS id, number, operation";

function startOf(row: Readonly<Record<string, unknown>>): TurnStart {
  return { id: String(row["id"]), number: Number(row["number"]), operation: String(row["operation"]) };
}

function hex(bytes: unknown): string {
  return Buffer.from(bytes as Uint8Array).toString("hex");
}
