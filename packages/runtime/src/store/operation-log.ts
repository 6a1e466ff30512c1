import { isObject, type JsonObject } from "@retake/core";
import { type Database, StoreError } from "@retake/workspace";

/** An operation with its number: all threads' operations of a store are counted in the order of their commits. */
export interface LoggedOperation {
  readonly sequence: number;
  readonly thread: string;
  /** In bytes. */
  readonly size: number;
  /** As it is stored: `operationFormat`, in JSON; undefined where it is larger than was asked for. */
  readonly body: string | undefined;
  /** What it says; not always its changes. */
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

  /** Those after a number, the first `limit` of them, each whole if it is not too large; with `thread`, only that thread's. */
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
