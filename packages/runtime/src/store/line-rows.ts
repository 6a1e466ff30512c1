import type { Operation, OperationId, TakeId } from "@retake/core";
import type { Database } from "@retake/workspace";
import { insertRows } from "./insert-rows.ts";
import type { OperationRows } from "./operation-rows.ts";

/** How many rows are read at a time: a page of history needs the last ones. */
const FIRST = 64;
const MOST = 1024;

/**
 * The operations that lead to a thread's head, by the part of the thread they belong to. The history of a take is read
 * from its own rows and those of the thread as a whole, so operations of other takes cost nothing.
 */
export class LineRows {
  readonly #database: Database;
  readonly #operations: OperationRows;

  constructor(database: Database, operations: OperationRows) {
    this.#database = database;
    this.#operations = operations;
  }

  add(thread: string, operations: readonly Operation[]): void {
    const rows = operations.flatMap((operation) =>
      partsOf(operation).map((part) => [thread, part, operation.version, operation.id]),
    );
    insertRows(this.#database, "INSERT INTO lines (thread, part, version, operation)", rows);
  }

  clear(thread: string): void {
    this.#database.run("DELETE FROM lines WHERE thread = ?", thread);
  }

  /** Whether the rows cover all operations of a line. */
  isWhole(thread: string, line: readonly Operation[]): boolean {
    const row = this.#database.prepare("SELECT count(*) AS n FROM lines WHERE thread = ?").get(thread);
    const rows = line.flatMap((operation) => partsOf(operation).map((part) => ({ operation, part })));
    return row?.["n"] === rows.length && rows.every(({ operation, part }) => this.#has(thread, operation, part));
  }

  #has(thread: string, { id, version }: Operation, part: string): boolean {
    const row = this.#database
      .prepare("SELECT operation FROM lines WHERE thread = ? AND part = ? AND version = ?")
      .get(thread, part, version);
    return row?.["operation"] === id;
  }

  /** As `History.lineOf`; undefined for an operation that a merge brought in from another line. */
  of(thread: string, head: OperationId, take: TakeId, until: number): Iterable<Operation> | undefined {
    const last = this.#operations.required(head);
    return this.#has(thread, last, partOf(last)) ? this.#before(thread, last.version, take, until) : undefined;
  }

  /** As `History.lastOf`; undefined as `of`. */
  last(thread: string, head: OperationId, take: TakeId): Operation | undefined {
    const at = this.#operations.required(head);
    if (!this.#has(thread, at, partOf(at))) return undefined;
    const last = (part: string) =>
      `SELECT * FROM (SELECT version, operation FROM lines WHERE thread = :thread AND part = ${part}
         AND version <= :version ORDER BY version DESC LIMIT 1)`;
    const row = this.#database
      .prepare(`${last(":take")} UNION ALL ${last(":space")} ORDER BY version DESC LIMIT 1`)
      .get({ thread, take: takePart(take), space: spacePart(take), version: at.version });
    return row && this.#operations.required(row["operation"] as string);
  }

  *#before(thread: string, version: number, take: TakeId, until: number): Generator<Operation> {
    // Each part is limited by itself: a sort of all of them together would read every row of the thread.
    const last = (part: string, until: string) =>
      `SELECT * FROM (SELECT version, operation FROM lines WHERE thread = :thread AND part = ${part}
         AND version <= ${until} ORDER BY version DESC LIMIT :limit)`;
    const page = this.#database.prepare(
      `${last(":take", ":until")} UNION ${last(":all", ":until")} UNION ${last(":space", ":version")}
       ORDER BY version DESC LIMIT :limit`,
    );
    const parts = { thread, take: takePart(take), all: THREAD, space: spacePart(take) };
    for (let [at, limit] = [version, FIRST]; ; limit = Math.min(limit * 4, MOST)) {
      const rows = page.all({ ...parts, version: at, until: Math.min(at, until), limit });
      for (const row of rows) yield this.#operations.required(row["operation"] as string);
      if (rows.length < limit) return;
      at = Number(rows.at(-1)?.["version"]) - 1;
    }
  }
}

const THREAD = "thread";

function takePart(take: TakeId): string {
  return `take ${take}`;
}

/** The part of operations that replaced the space of a take. */
function spacePart(take: TakeId): string {
  return `space ${take}`;
}

function partsOf(operation: Operation): string[] {
  return [partOf(operation), ...(operation.diff.spaces ?? []).map(({ take }) => spacePart(take))];
}

function partOf({ scope, take }: Operation): string {
  return scope === "thread" ? THREAD : takePart(take);
}
