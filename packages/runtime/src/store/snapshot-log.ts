import type { OperationId } from "@retake/core";
import type { Database } from "@retake/workspace";

export interface SnapshotRow {
  readonly id: string;
  readonly workspace_root: string;
  readonly thread: string;
  /** The operation it belongs to. */
  readonly operation: OperationId;
  /** The operation after which it shows the files; none for a snapshot that the user took. */
  readonly after?: OperationId;
  readonly turn?: string;
  readonly kind: SnapshotKind;
  readonly label: string;
  /** The name of its tree. */
  readonly tree: string;
  readonly created_at: number;
}

/** A snapshot belongs to the workspace of its thread. */
export type NewSnapshot = Omit<SnapshotRow, "workspace_root">;

export type SnapshotKind = "pre-turn" | "tool" | "post-turn" | "pre-restore" | "manual";

/** The snapshots of a store's workspaces, in the order of their creation. */
export class SnapshotLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A snapshot that follows from an operation exists already when records are rebuilt from the log. */
  add(snapshot: NewSnapshot): void {
    this.#database.run(
      `INSERT INTO snapshots (id, workspace_root, thread, operation, after, turn, kind, label, tree, created_at)
       VALUES (?, (SELECT workspace_root FROM places WHERE thread = ?), ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
      snapshot.id,
      snapshot.thread,
      snapshot.thread,
      snapshot.operation,
      snapshot.after ?? null,
      snapshot.turn ?? null,
      snapshot.kind,
      snapshot.label,
      snapshot.tree,
      snapshot.created_at,
    );
  }

  /** Newest first; with `thread`, only those of that thread. Snapshots whose files were deleted by gc are left out. */
  list(root: string, options: { readonly thread?: string | undefined; readonly limit: number }): SnapshotRow[] {
    const { thread, limit } = options;
    const found = thread
      ? this.#database
          .prepare(
            `SELECT * FROM snapshots WHERE thread = ? AND workspace_root = ? AND ${KEPT} ORDER BY sequence DESC LIMIT ?`,
          )
          .all(thread, root, limit)
      : this.#database
          .prepare(`SELECT * FROM snapshots WHERE workspace_root = ? AND ${KEPT} ORDER BY sequence DESC LIMIT ?`)
          .all(root, limit);
    return found.map(rowOf);
  }

  /** The snapshots of a workspace whose id begins with the given text, in order. */
  named(root: string, beginning: string): SnapshotRow[] {
    return this.#database
      .prepare(`SELECT * FROM snapshots WHERE id >= ? AND id < ? AND +workspace_root = ? AND ${KEPT} ORDER BY id`)
      .all(beginning, `${beginning}\u{10ffff}`, root)
      .map(rowOf);
  }

  /** The snapshots of a workspace that a user gave this label, in order. */
  labelled(root: string, label: string): SnapshotRow[] {
    return this.#database
      .prepare(
        `SELECT * FROM snapshots WHERE workspace_root = ? AND kind = 'manual' AND label = ? AND ${KEPT} ORDER BY id`,
      )
      .all(root, label)
      .map(rowOf);
  }

  /** A snapshot of any workspace, by its whole id. */
  get(id: string): SnapshotRow | undefined {
    const row = this.#database.prepare(`SELECT * FROM snapshots WHERE id = ? AND ${KEPT}`).get(id);
    return row && rowOf(row);
  }

  /** The ids right before and after one, of all workspaces. */
  around(id: string): string[] {
    const row = this.#database
      .prepare(
        "SELECT (SELECT max(id) FROM snapshots WHERE id < :id) AS before, (SELECT min(id) FROM snapshots WHERE id > :id) AS after",
      )
      .get({ id });
    return Object.values(row ?? {}).flatMap((each) => (typeof each === "string" ? each : []));
  }

  /** A snapshot of a thread with these files: one at the start of a turn if there is one, otherwise the last. */
  withTree(thread: string, tree: string): SnapshotRow | undefined {
    const row = this.#database
      .prepare(
        `SELECT * FROM snapshots WHERE tree = ? AND thread = ?
         ORDER BY kind = 'pre-turn' DESC, sequence DESC LIMIT 1`,
      )
      .get(tree, thread);
    return row && rowOf(row);
  }

  /** The trees of snapshots that users took: garbage collection keeps them, however old they are. */
  ownTrees(): string[] {
    return this.#database
      .prepare("SELECT DISTINCT tree FROM snapshots WHERE kind = 'manual'")
      .all()
      .map((row) => String(row["tree"]));
  }
}

const KEPT = "EXISTS (SELECT 1 FROM captures WHERE captures.name = snapshots.tree)";

function rowOf(row: Record<string, unknown>): SnapshotRow {
  const { after, turn } = row;
  return {
    id: String(row["id"]),
    workspace_root: String(row["workspace_root"]),
    thread: String(row["thread"]),
    operation: String(row["operation"]),
    ...(typeof after === "string" ? { after } : {}),
    ...(typeof turn === "string" ? { turn } : {}),
    kind: String(row["kind"]) as SnapshotKind,
    label: String(row["label"]),
    tree: String(row["tree"]),
    created_at: Number(row["created_at"]),
  };
}
