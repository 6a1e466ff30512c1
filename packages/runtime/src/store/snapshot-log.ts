import type { OperationId } from "@retake/core";
import type { Database } from "@retake/workspace";

export interface SnapshotRow {
  readonly id: string;
  readonly workspace_root: string;
  readonly thread: string;
  /** The operation it belongs to. */
  readonly operation: OperationId;
  /** The operation that it shows the files after; none for a snapshot of the user's own. */
  readonly after?: OperationId;
  readonly turn?: string;
  readonly kind: SnapshotKind;
  readonly label: string;
  /** The name of its tree. */
  readonly tree: string;
  readonly created_at: number;
}

/** A snapshot is of the workspace that its thread lives in. */
export type NewSnapshot = Omit<SnapshotRow, "workspace_root">;

export type SnapshotKind = "pre-turn" | "tool" | "post-turn" | "pre-restore" | "manual";

/** The snapshots of a store's workspaces, in the order they were made. */
export class SnapshotLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One that follows from an operation is there already when records are made anew from the log. */
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

  /** Newest first; of one thread where one is named. Without those whose files were given up. */
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

  /** Those of a workspace whose id begins so, in order. */
  named(root: string, beginning: string): SnapshotRow[] {
    return this.#database
      .prepare(`SELECT * FROM snapshots WHERE workspace_root = ? AND substr(id, 1, ?) = ? AND ${KEPT} ORDER BY id`)
      .all(root, beginning.length, beginning)
      .map(rowOf);
  }

  /** By its whole id, of whichever workspace. */
  get(id: string): SnapshotRow | undefined {
    const row = this.#database.prepare(`SELECT * FROM snapshots WHERE id = ? AND ${KEPT}`).get(id);
    return row && rowOf(row);
  }

  /** The ids of a workspace's snapshots. */
  ids(root: string): string[] {
    return this.#database
      .prepare("SELECT id FROM snapshots WHERE workspace_root = ?")
      .all(root)
      .map((row) => String(row["id"]));
  }

  /** A snapshot of a thread that shows these files: a turn's beginning if there is one, else the last. */
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
