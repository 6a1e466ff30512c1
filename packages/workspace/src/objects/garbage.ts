import type { Database } from "../database/database.ts";
import type { BytePath, CaptureId, Hash } from "../model/model.ts";

/** The SQL of garbage collection. Everything here runs in the caller's transaction. */
export class Garbage {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The last capture of each workspace. */
  lastCaptures(): CaptureId[] {
    const rows = this.#database
      .prepare("SELECT name FROM captures WHERE id IN (SELECT last_capture FROM workspaces)")
      .all();
    return rows.map((row) => String(row["name"]));
  }

  /** The directories of all captured workspaces, as BytePaths. */
  workspaceRoots(): BytePath[] {
    return this.#database
      .prepare("SELECT root FROM workspaces")
      .all()
      .map((row) => Buffer.from(row["root"] as Uint8Array).toString("latin1"));
  }

  /** Every capture, parents first. */
  captureIds(): CaptureId[] {
    return this.#database
      .prepare("SELECT name FROM captures ORDER BY id")
      .all()
      .map((row) => String(row["name"]));
  }

  replaceCapture(
    id: CaptureId,
    to: { parent: CaptureId | undefined; changes: Uint8Array; distance: number; listing: Uint8Array | undefined },
  ): void {
    this.#database.run(
      `UPDATE captures SET parent = (SELECT id FROM captures AS above WHERE above.name = ?), changes = ?, distance = ?,
         listing = ? WHERE name = ?`,
      to.parent ?? null,
      to.changes,
      to.distance,
      to.listing ?? null,
      id,
    );
  }

  dropCapture(id: CaptureId): void {
    this.#database.run("DELETE FROM captures WHERE name = ?", id);
  }

  /** Deletes every object except these and their compression dictionaries. */
  keepOnly(hashes: Iterable<Hash>): { objects: number } {
    this.#database.run("CREATE TEMP TABLE IF NOT EXISTS live (hash BLOB PRIMARY KEY) WITHOUT ROWID");
    this.#database.run("DELETE FROM live");
    const insert = this.#database.prepare("INSERT OR IGNORE INTO live (hash) VALUES (?)");
    for (const hash of hashes) insert.run(Buffer.from(hash, "hex"));
    const addBases = `INSERT OR IGNORE INTO live (hash) SELECT blocks.base FROM live
      JOIN objects ON objects.hash = live.hash JOIN blocks ON blocks.id = objects.block
      WHERE blocks.base IS NOT NULL`;
    while (this.#database.run(addBases).changes > 0);
    const packed = this.#database.run("DELETE FROM objects WHERE hash NOT IN (SELECT hash FROM live)").changes;
    const loose = this.#database.run("DELETE FROM loose_objects WHERE hash NOT IN (SELECT hash FROM live)").changes;
    this.#database.run("DELETE FROM blocks WHERE id NOT IN (SELECT block FROM objects)");
    this.#database.run("DELETE FROM live");
    return { objects: packed + loose };
  }

  /** The stored size of all objects, in packs and loose. */
  storedBytes(): number {
    const row = this.#database
      .prepare(
        `SELECT (SELECT coalesce(sum(length), 0) FROM blocks)
           + (SELECT coalesce(sum(length(content)), 0) FROM loose_objects) AS bytes`,
      )
      .get();
    return Number(row?.["bytes"]);
  }

  /** Packs of which less than half is in use. */
  wastefulPacks(): { pack: number; size: number; used: number }[] {
    return this.#database
      .prepare(
        `SELECT packs.id, packs.size, coalesce(sum(blocks.length), 0) AS used
         FROM packs LEFT JOIN blocks ON blocks.pack = packs.id GROUP BY packs.id HAVING used * 2 < packs.size`,
      )
      .all()
      .map((row) => ({ pack: Number(row["id"]), size: Number(row["size"]), used: Number(row["used"]) }));
  }

  blocksOf(pack: number): { id: number; offset: number; length: number }[] {
    return this.#database
      .prepare("SELECT id, offset, length FROM blocks WHERE pack = ? ORDER BY offset")
      .all(pack)
      .map((row) => ({ id: Number(row["id"]), offset: Number(row["offset"]), length: Number(row["length"]) }));
  }

  newPack(size: number): number {
    return this.#database.run("INSERT INTO packs (size) VALUES (?)", size).id;
  }

  moveBlock(id: number, pack: number, offset: number): void {
    this.#database.run("UPDATE blocks SET pack = ?, offset = ? WHERE id = ?", pack, offset, id);
  }

  dropPack(pack: number): void {
    this.#database.run("DELETE FROM packs WHERE id = ?", pack);
  }
}
