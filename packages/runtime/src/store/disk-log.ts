import { activeTake, type Operation, roleOf, type State, tree } from "@retake/core";
import type { Database } from "@retake/workspace";

export interface DiskChange {
  readonly database: Database;
  readonly moment: number;
  /** The thread that made the change; undefined where it was found on disk. */
  readonly thread: string | undefined;
  /** The thread whose operation it is. */
  readonly owner: string | undefined;
  readonly operation: string | undefined;
  readonly before: string;
  readonly after: string;
}

/**
 * A log of the changes on the disk of a workspace: which thread, or the user, made which change. A row is appended in
 * the transaction of its operation, so the log and the threads cannot disagree. The log answers which thread owns a
 * file, and what was changed later by others.
 *
 * Two stores have threads of one workspace, and each holds the rows of its own threads. A process that changes files
 * holds the workspace, so all rows are numbered in one sequence, without a clock.
 */
export class DiskLog {
  readonly #database: Database;
  readonly #others: () => readonly Database[];
  readonly #since: () => number;

  /** `others`: the databases of the other stores of this machine. `since`: the lowest number for the next row. */
  constructor(database: Database, others: () => readonly Database[] = () => [], since: () => number = () => 0) {
    this.#database = database;
    this.#others = others;
    this.#since = since;
  }

  /** Records that a thread lives in a workspace from now on. */
  begin(root: string, thread: string): void {
    this.#add(root, { thread, operation: null, take: null, before: "", after: "" });
  }

  /**
   * Records the changes of an operation on disk, if it made any and its thread has a directory. Notes record changes by the
   * user.
   */
  add(rootOf: () => string | undefined, thread: string, operation: Operation, before: State, after: State): void {
    const take = activeTake(after);
    const [from, to] = [tree(before, activeTake(before)), tree(after, take)];
    if (from === to || from === "") return;
    const root = rootOf();
    if (root === undefined) return;
    const who = roleOf(operation) === "note" ? null : thread;
    this.#add(root, { thread: who, operation: operation.id, take, before: from, after: to });
  }

  /**
   * When a note right after an operation says that not all of its files were written, replaces both by one row with the
   * actual changes.
   */
  merge(operation: Operation, note: Operation): void {
    this.#database.run(
      "UPDATE disk_log SET after = (SELECT after FROM disk_log WHERE operation = ?) WHERE operation = ?",
      note.id,
      operation.id,
    );
    this.#database.run("DELETE FROM disk_log WHERE operation = ?", note.id);
  }

  /** The changes in all stores, newest first. Read in parts, so that no statement is open while others write. */
  *newestFirst(root: string): IterableIterator<DiskChange> {
    const lists = this.#all().map((database) => changesIn(database, root));
    const heads = lists.map((list) => ({ list, next: list.next() }));
    for (;;) {
      const open = heads.filter(({ next }) => !next.done);
      const newest = open.sort((a, b) => momentOf(b.next) - momentOf(a.next))[0];
      if (!newest || newest.next.done) return;
      yield newest.next.value;
      newest.next = newest.list.next();
    }
  }

  /** Whether other threads live in a workspace. */
  hasOthers(root: string, thread: string): boolean {
    const other = "SELECT 1 FROM disk_log WHERE root = ? AND thread <> ? LIMIT 1";
    return this.#all().some((database) => database.prepare(other).get(root, thread) !== undefined);
  }

  #add(root: string, row: { readonly [column: string]: string | null }): void {
    const last = "SELECT max(moment) AS moment FROM disk_log WHERE root = ?";
    const moments = this.#all().map((database) => Number(database.prepare(last).get(root)?.["moment"] ?? 0));
    this.#database.run(
      "INSERT INTO disk_log (root, moment, thread, operation, take, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[
        root,
        Math.max(...moments, this.#since()) + 1,
        row["thread"],
        row["operation"],
        row["take"],
        row["before"],
        row["after"],
      ].map((value) => value ?? null),
    );
  }

  #all(): readonly Database[] {
    return [this.#database, ...this.#others()];
  }
}

function* changesIn(database: Database, root: string): IterableIterator<DiskChange> {
  const page = database.prepare(
    `SELECT moment, disk_log.thread, operation, before, after, coalesce(disk_log.thread, operations.thread) AS owner
     FROM disk_log LEFT JOIN operations ON operations.id = operation
     WHERE root = ? AND moment < ? ORDER BY moment DESC LIMIT 64`,
  );
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = page.all(root, before);
    for (const row of rows) {
      before = Number(row["moment"]);
      yield {
        database,
        moment: before,
        thread: (row["thread"] as string | null) ?? undefined,
        owner: (row["owner"] as string | null) ?? undefined,
        operation: (row["operation"] as string | null) ?? undefined,
        before: String(row["before"]),
        after: String(row["after"]),
      };
    }
    if (rows.length < 64) return;
  }
}

function momentOf(next: IteratorResult<DiskChange>): number {
  return next.done ? 0 : next.value.moment;
}
