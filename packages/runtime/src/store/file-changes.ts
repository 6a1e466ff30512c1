import { decode, type Operation, operationFormat, roleOf, spaceId } from "@retake/core";
import type { Database } from "./open-database.ts";

/** How an operation of a thread changed the files on disk, as trees of the store that it is in. */
export interface FileChange {
  readonly database: Database;
  readonly thread: string;
  readonly before: string;
  readonly after: string;
  /** What was noted with it: the files that a take's tree lacks, and that were left on disk all the same. */
  readonly noted?: string;
  readonly created_at: number;
}

/**
 * What the threads of a workspace did to the files on disk, newest first, back to where `since` began, which is a thread of
 * the first of the stores. What they only noted, somebody else did.
 *
 * A turn names both trees. Whatever else changes the files on disk may do so by going to another take, whose files it
 * does not name; but the tree that it left is kept as a snapshot, and the one that it came to is what the thread
 * stood at until its files changed next. All of it as it is when it is asked for, whatever is done while it is read.
 *
 * In one store operations stand in a row. Between two there are only their times.
 */
export function fileChanges(databases: readonly Database[], root: string, since: string): IterableIterator<FileChange> {
  const [own] = databases;
  const first = own
    ?.prepare("SELECT sequence, body FROM operations WHERE thread = ? ORDER BY sequence LIMIT 1")
    .get(since);
  const begun = first && decode(operationFormat, JSON.parse(first["body"] as string));
  const oldest = begun?.kind === "decoded" ? begun.value.created_at : 0;
  return newestFirst(
    databases.map((database) =>
      changesIn(database, root, {
        stood: treesOnDisk(database, root),
        newest: newestOf(database),
        oldest: database === own ? { sequence: Number(first?.["sequence"] ?? 0) } : { created_at: oldest },
      }),
    ),
  );
}

function* newestFirst(all: readonly IterableIterator<FileChange>[]): IterableIterator<FileChange> {
  const heads = all.map((changes) => ({ changes, next: changes.next() }));
  for (;;) {
    const open = heads.flatMap((head) => (head.next.done ? [] : [{ head, change: head.next.value }]));
    const [newest] = open.sort((a, b) => b.change.created_at - a.change.created_at);
    if (!newest) return;
    yield newest.change;
    newest.head.next = newest.head.changes.next();
  }
}

interface Span {
  /** The trees that the threads stand at. */
  readonly stood: Map<string, string>;
  readonly newest: number;
  readonly oldest: { readonly sequence: number } | { readonly created_at: number };
}

function* changesIn(database: Database, root: string, { stood, newest, oldest }: Span): IterableIterator<FileChange> {
  let noted: { readonly sequence: number; readonly tree: string } | undefined;
  // Read in parts, so that no statement is open while others write.
  const page = database.prepare(
    `SELECT operations.sequence, operations.thread, operations.body, snapshots.tree AS left FROM operations
     LEFT JOIN snapshots ON snapshots.id = 'S-' || operations.id AND snapshots.kind = 'pre-restore'
     WHERE operations.sequence < ? AND operations.sequence > ?
       AND (snapshots.id IS NOT NULL OR instr(operations.body, '/workspace"') > 0)
       AND operations.thread IN (SELECT id FROM threads WHERE workspace_root = ?)
     ORDER BY operations.sequence DESC LIMIT 64`,
  );
  for (let before = newest + 1; ; ) {
    const rows = page.all(before, "sequence" in oldest ? oldest.sequence : 0, root);
    for (const row of rows) {
      const decoded = decode(operationFormat, JSON.parse(row["body"] as string));
      if (decoded.kind === "unreadable") continue;
      const { created_at } = decoded.value;
      if ("created_at" in oldest && created_at < oldest.created_at) return;
      const thread = row["thread"] as string;
      const trees = treesAround(decoded.value, row["left"], stood.get(thread));
      if (!trees) continue;
      stood.set(thread, trees.before);
      const sequence = Number(row["sequence"]);
      if (roleOf(decoded.value) === "note") noted = { sequence, tree: trees.after };
      // A note that is committed with it is the next operation of the store. One that came later tells of later.
      else {
        const with_it = noted?.sequence === sequence + 1 ? { noted: noted.tree } : {};
        yield { database, thread, created_at, ...trees, ...with_it };
      }
    }
    const last = rows.at(-1);
    if (!last) return;
    before = Number(last["sequence"]);
  }
}

export function hasOtherThreads(databases: readonly Database[], root: string, thread: string): boolean {
  const other = "SELECT 1 FROM threads WHERE workspace_root = ? AND id <> ? LIMIT 1";
  return databases.some((database) => database.prepare(other).get(root, thread) !== undefined);
}

function newestOf(database: Database): number {
  return Number(database.prepare("SELECT max(sequence) AS newest FROM operations").get()?.["newest"] ?? 0);
}

/** The tree that each thread of a workspace stands at: that of its active take. */
function treesOnDisk(database: Database, root: string): Map<string, string> {
  const rows = database
    .prepare(
      `SELECT threads.id AS thread, json_extract(files.value, '$.tree') AS tree FROM threads
       JOIN records AS active ON active.space = threads.space AND active.id = 'active'
       JOIN takes ON takes.thread = threads.id AND takes.take = json_extract(active.value, '$.take')
       JOIN records AS files ON files.space = takes.space AND files.id = 'workspace'
       WHERE threads.workspace_root = ?`,
    )
    .all(root);
  return new Map(rows.map((row) => [row["thread"] as string, row["tree"] as string]));
}

/** `left` is the snapshot that an operation made before it put other files on disk, `stood` the tree on disk after it. */
function treesAround(
  operation: Operation,
  left: unknown,
  stood: string | undefined,
): { before: string; after: string } | undefined {
  const role = roleOf(operation);
  if (role !== "note" && role !== "turn")
    return typeof left === "string" && stood !== undefined ? { before: left, after: stood } : undefined;
  const change = operation.diff.changes.find(({ id }) => id === spaceId(operation.take, "workspace"));
  const tree = change?.kind === "update" ? change.fields["tree"] : undefined;
  if (!tree || "at" in tree) return undefined;
  const { before, after } = tree;
  return typeof before === "string" && typeof after === "string" ? { before, after } : undefined;
}
