import { isObject, type JsonObject } from "@retake/core";
import { type Database, StoreError } from "@retake/workspace";

/**
 * An operation with its number: the operations of all threads of a store are numbered in the order of their commits.
 */
export interface LoggedOperation {
  readonly sequence: number;
  readonly thread: string;
  /** In bytes. */
  readonly size: number;
  /** The stored text: `operationFormat`, in JSON; undefined when it is larger than requested. */
  readonly body: string | undefined;
  /** Its content; not always with its changes. */
  readonly operation: JsonObject;
}

/** The operations of a store in the order of their commits, by all processes. */
export class OperationLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The number of the last operation; 0 in an empty store. */
  last(): number {
    return Number(this.#database.prepare("SELECT max(sequence) AS last FROM operations").get()?.["last"] ?? 0);
  }

  /**
   * The operations after a number, at most `limit`, each whole if it is not too large; with `thread`, only that
   * thread's.
   */
  after(sequence: number, limit: number, largest: number, thread?: string): LoggedOperation[] {
    return this.#database
      .prepare(
        `SELECT sequence, id, thread, octet_length(body) AS size, outline,
           iif(outline IS NULL OR octet_length(body) <= :largest, body, NULL) AS body
         FROM operations WHERE sequence > :sequence ${thread === undefined ? "" : "AND thread = :thread"}
         ORDER BY sequence LIMIT :limit`,
      )
      .all({ sequence, limit, largest, ...(thread === undefined ? {} : { thread }) })
      .map((row) => {
        const [outline, body] = [row["outline"] as string | null, row["body"] as string | null];
        const operation = parse(outline ?? body ?? "");
        if (!isObject(operation))
          throw new StoreError("unreadable", `Operation ${String(row["id"])} is not readable. It was left as it is.`);
        const [number, size] = [Number(row["sequence"]), Number(row["size"])];
        return { sequence: number, thread: row["thread"] as string, size, body: body ?? undefined, operation };
      });
  }

  /** Whether the operation after a number still exists; the numbers have no gaps. */
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
