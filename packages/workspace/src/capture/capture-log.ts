import type { Database } from "../database/database.ts";
import { StoreError } from "../database/store-error.ts";
import type { CaptureId } from "../model/model.ts";

export interface NewCapture {
  readonly id: CaptureId;
  /** The workspace whose last capture this becomes; undefined for files that lie in no workspace here. */
  readonly workspace: number | undefined;
  readonly parent: CaptureId | undefined;
  /** The capture it was made from, when that is not the parent. */
  readonly follows?: CaptureId | "";
  readonly createdAt: number;
  readonly files: number;
  readonly bytes: number;
  readonly changes: Uint8Array;
  readonly distance: number;
  readonly listing: Uint8Array | undefined;
  readonly receipt: string;
}

export interface CaptureRow extends Omit<NewCapture, "workspace"> {
  /**
   * The capture it was made from; empty for a first one. When garbage collection has deleted that, `parent` is an
   * earlier capture or none, and the stored changes lead from there.
   */
  readonly follows: CaptureId | "";
  readonly tree: string | undefined;
}

/** One step of a lineage. */
export interface CaptureLink {
  readonly id: CaptureId;
  /** A child's row is higher than its parent's. */
  readonly row: number;
  readonly parent: CaptureId | undefined;
  /** As in the capture's row. */
  readonly follows: CaptureId | "";
  readonly changes: Uint8Array;
  /** It was imported without all of its files, so that its name cannot be checked. */
  readonly partial: boolean;
}

/**
 * Every capture with its change list, and sometimes a whole listing from which reading starts. Captures are identified
 * by name; row numbers are internal to the store.
 */
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

  /** A capture with a known name exists already and is not changed. */
  add(capture: NewCapture): CaptureId {
    this.#database.run(
      `INSERT INTO captures (name, parent, follows, created_at, files, bytes, changes, distance, listing, receipt)
       VALUES (?, (SELECT id FROM captures WHERE name = ?), ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING`,
      capture.id,
      capture.parent ?? null,
      capture.follows ?? capture.parent ?? "",
      capture.createdAt,
      capture.files,
      capture.bytes,
      capture.changes,
      capture.distance,
      capture.listing ?? null,
      capture.receipt,
    );
    if (capture.workspace !== undefined)
      this.#database.run(
        "UPDATE workspaces SET last_capture = (SELECT id FROM captures WHERE name = ?) WHERE id = ?",
        capture.id,
        capture.workspace,
      );
    return capture.id;
  }

  has(id: CaptureId): boolean {
    return this.#database.prepare("SELECT 1 FROM captures WHERE name = ?").get(id) !== undefined;
  }

  get(id: CaptureId): CaptureRow {
    const row = this.#database.prepare(`SELECT *, ${PARENT} FROM captures WHERE name = ?`).get(id);
    if (!row) throw unknownCapture(id);
    return {
      id,
      parent: (row["parent_name"] as string | null) ?? undefined,
      follows: String(row["follows"]),
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

  /** The step that led to a capture, without its content. */
  link(id: CaptureId): CaptureLink {
    const row = this.#database
      .prepare(
        `SELECT id, follows, changes, receipt ->> '$.partial' AS partial, ${PARENT} FROM captures WHERE name = ?`,
      )
      .get(id);
    if (!row) throw unknownCapture(id);
    return {
      id,
      row: Number(row["id"]),
      parent: (row["parent_name"] as string | null) ?? undefined,
      follows: String(row["follows"]),
      changes: row["changes"] as Uint8Array,
      partial: row["partial"] === 1,
    };
  }

  /** The captures that a capture was made from, as far as they are kept, the nearest first, and at most so many. */
  ancestors(id: CaptureId, most: number): CaptureId[] {
    const line = this.#database.prepare(`
      WITH RECURSIVE line (name, parent) AS (
        SELECT name, parent FROM captures WHERE name = ?
        UNION ALL SELECT captures.name, captures.parent FROM line JOIN captures ON captures.id = line.parent
      )
      SELECT name FROM line LIMIT ? OFFSET 1
    `);
    return line.all(id, most).map((row) => String(row["name"]));
  }

  /** The numbers of a capture, without reading its lists: a listing of 100,000 files takes megabytes. */
  totals(id: CaptureId): Pick<CaptureRow, "files" | "bytes" | "distance"> {
    const row = this.#database.prepare("SELECT files, bytes, distance FROM captures WHERE name = ?").get(id);
    if (!row) throw unknownCapture(id);
    return { files: Number(row["files"]), bytes: Number(row["bytes"]), distance: Number(row["distance"]) };
  }

  latest(workspace: number): CaptureId | undefined {
    const row = this.#database
      .prepare("SELECT name FROM captures WHERE id = (SELECT last_capture FROM workspaces WHERE id = ?)")
      .get(workspace);
    return row && String(row["name"]);
  }

  /** The last capture of a directory with its number of files, if there is one. */
  lastOf(root: Uint8Array): { readonly id: CaptureId; readonly files: number } | undefined {
    const row = this.#database
      .prepare("SELECT name, files FROM captures WHERE id = (SELECT last_capture FROM workspaces WHERE root = ?)")
      .get(root);
    return row && { id: String(row["name"]), files: Number(row["files"]) };
  }

  setTree(id: CaptureId, tree: string): void {
    this.#database.run("UPDATE captures SET tree = ? WHERE name = ?", tree, id);
  }
}

const PARENT = "(SELECT above.name FROM captures AS above WHERE above.id = captures.parent) AS parent_name";

function unknownCapture(id: CaptureId): StoreError {
  return new StoreError(
    "unknown-capture",
    `There is no capture ${id.slice(0, 12)} in this store: the files of that time are not kept any more. Nothing was changed.`,
  );
}
