import { decode, type Operation, operationFormat, roleOf } from "@retake/core";
import type { Database } from "./open-database.ts";

/** How an operation of a thread changed its files, as trees of this store. */
export interface FileChange {
  readonly thread: string;
  readonly before: string;
  readonly after: string;
}

/**
 * What the threads of a workspace did to its files, newest first, back to where `since` began. What they only noted,
 * somebody else did.
 */
export function* fileChanges(database: Database, root: string, since: string): IterableIterator<FileChange> {
  const first = database.prepare("SELECT min(sequence) AS sequence FROM operations WHERE thread = ?").get(since);
  const oldest = Number(first?.["sequence"] ?? 0);
  // Read in parts, so that no statement is open while others write.
  const page = database.prepare(
    `SELECT sequence, thread, body FROM operations
     WHERE sequence < ? AND sequence > ? AND instr(body, '/workspace"') > 0
       AND thread IN (SELECT id FROM threads WHERE workspace_root = ?)
     ORDER BY sequence DESC LIMIT 64`,
  );
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = page.all(before, oldest, root);
    for (const row of rows) {
      const decoded = decode(operationFormat, JSON.parse(row["body"] as string));
      if (decoded.kind === "unreadable" || roleOf(decoded.value) === "note") continue;
      for (const trees of treesIn(decoded.value)) yield { thread: row["thread"] as string, ...trees };
    }
    const last = rows.at(-1);
    if (!last) return;
    before = Number(last["sequence"]);
  }
}

export function hasOtherThreads(database: Database, root: string, thread: string): boolean {
  const other = database.prepare("SELECT 1 FROM threads WHERE workspace_root = ? AND id <> ? LIMIT 1");
  return other.get(root, thread) !== undefined;
}

function* treesIn(operation: Operation): Iterable<{ before: string; after: string }> {
  for (const change of operation.diff.changes) {
    const tree = change.kind === "update" && change.id.endsWith("/workspace") ? change.fields["tree"] : undefined;
    if (!tree || "at" in tree) continue;
    const { before, after } = tree;
    if (typeof before === "string" && typeof after === "string") yield { before, after };
  }
}
