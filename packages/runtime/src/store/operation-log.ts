import { isObject, type JsonObject } from "@retake/core";
import { type Database, StoreError } from "@retake/workspace";

/** An operation with its number: all threads' operations of a store are counted in the order of their commits. */
export interface LoggedOperation {
  readonly sequence: number;
  readonly thread: string;
  /** As it is stored: `operationFormat`, in JSON. */
  readonly body: string;
  readonly operation: JsonObject;
}

/** The operations of a store in the order in which they were committed, whoever committed them. */
export class OperationLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The number of the last operation; 0 in an empty store. */
  last(): number {
    return Number(this.#database.prepare("SELECT max(sequence) AS last FROM operations").get()?.["last"] ?? 0);
  }

  /** Those behind a number, the first `limit` of them; with `thread`, only that thread's. */
  after(sequence: number, limit: number, thread?: string): LoggedOperation[] {
    return this.#database
      .prepare(
        "SELECT sequence, id, thread, body FROM operations WHERE sequence > ? AND (? IS NULL OR thread = ?) ORDER BY sequence LIMIT ?",
      )
      .all(sequence, thread ?? null, thread ?? null, limit)
      .map((row) => {
        const body = row["body"] as string;
        const operation = parse(body);
        if (!isObject(operation))
          throw new StoreError("unreadable", `Operation ${String(row["id"])} is not readable. It was left as it is.`);
        return { sequence: Number(row["sequence"]), thread: row["thread"] as string, body, operation };
      });
  }

  /** Whether the next one behind a number is still there; they are counted without holes. */
  reaches(sequence: number): boolean {
    const next = this.#database
      .prepare("SELECT min(sequence) AS next FROM operations WHERE sequence > ?")
      .get(sequence);
    return (next?.["next"] ?? null) === null || Number(next?.["next"]) === sequence + 1;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
