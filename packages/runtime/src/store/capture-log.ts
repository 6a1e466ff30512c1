import type { Database } from "./open-database.ts";
import { StoreError } from "./store-error.ts";

/** Local to a store; the tree id is what two stores have in common. */
export type CaptureId = number;

export interface NewCapture {
  readonly workspace: number;
  readonly parent: CaptureId | undefined;
  readonly createdAt: number;
  readonly files: number;
  readonly bytes: number;
  readonly changes: Uint8Array;
  readonly distance: number;
  readonly listing: Uint8Array | undefined;
  readonly receipt: string;
}

export interface CaptureRow extends NewCapture {
  readonly id: CaptureId;
  readonly tree: string | undefined;
}

/** Every capture with its change list, and sometimes a whole listing that reading starts from. */
export class CaptureLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  workspaceId(root: Uint8Array): number {
    const find = () => this.#database.prepare("SELECT id FROM workspaces WHERE root = ?").get(root)?.["id"];
    const known = find();
    if (known !== undefined) return Number(known);
    this.#database.run("INSERT OR IGNORE INTO workspaces (root) VALUES (?)", root);
    return Number(find());
  }

  add(capture: NewCapture): CaptureId {
    return this.#database.run(
      `INSERT INTO captures (workspace, parent, created_at, files, bytes, changes, distance, listing, receipt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      capture.workspace,
      capture.parent ?? null,
      capture.createdAt,
      capture.files,
      capture.bytes,
      capture.changes,
      capture.distance,
      capture.listing ?? null,
      capture.receipt,
    ).id;
  }

  has(id: CaptureId): boolean {
    return this.#database.prepare("SELECT 1 FROM captures WHERE id = ?").get(id) !== undefined;
  }

  get(id: CaptureId): CaptureRow {
    const row = this.#database.prepare("SELECT * FROM captures WHERE id = ?").get(id);
    if (!row) throw unknownCapture(id);
    return {
      id,
      workspace: Number(row["workspace"]),
      parent: row["parent"] === null ? undefined : Number(row["parent"]),
      createdAt: Number(row["created_at"]),
      files: Number(row["files"]),
      bytes: Number(row["bytes"]),
      changes: row["changes"] as Uint8Array,
      distance: Number(row["distance"]),
      listing: (row["listing"] as Uint8Array | null) ?? undefined,
      tree: (row["tree"] as string | null) ?? undefined,
      receipt: String(row["receipt"]),
    };
  }

  /** What it holds, without reading it. */
  totals(id: CaptureId): { readonly files: number; readonly bytes: number } {
    const row = this.#database.prepare("SELECT files, bytes FROM captures WHERE id = ?").get(id);
    if (!row) throw unknownCapture(id);
    return { files: Number(row["files"]), bytes: Number(row["bytes"]) };
  }

  latest(workspace: number): CaptureId | undefined {
    const row = this.#database
      .prepare("SELECT id FROM captures WHERE workspace = ? ORDER BY id DESC LIMIT 1")
      .get(workspace);
    return row && Number(row["id"]);
  }

  /** The last capture of a directory and what it holds, if there is one. */
  lastOf(root: Uint8Array): { readonly id: CaptureId; readonly files: number } | undefined {
    const row = this.#database
      .prepare(
        "SELECT id, files FROM captures WHERE workspace = (SELECT id FROM workspaces WHERE root = ?) ORDER BY id DESC LIMIT 1",
      )
      .get(root);
    return row && { id: Number(row["id"]), files: Number(row["files"]) };
  }

  setTree(id: CaptureId, tree: string): void {
    this.#database.run("UPDATE captures SET tree = ? WHERE id = ?", tree, id);
  }
}

function unknownCapture(id: CaptureId): StoreError {
  return new StoreError(
    "unknown-capture",
    `There is no capture ${id} in this store: the files of that time are not kept any more. Nothing was changed.`,
  );
}
