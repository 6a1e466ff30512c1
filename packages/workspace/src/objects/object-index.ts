import type { Database } from "../database/database.ts";
import type { Hash } from "../model/model.ts";

/** The place of a block, and the data needed to read it. */
export interface Block {
  readonly pack: number;
  readonly offset: number;
  readonly length: number;
  /** Bytes after decompression. */
  readonly size: number;
  /** The object whose content is the zstd dictionary of this block. */
  readonly base: Hash | undefined;
  /** How many dictionaries have to be read before it. */
  readonly depth: number;
}

export interface ObjectPlace {
  /** The id of its block. No other block ever gets the same. */
  readonly block: number;
  readonly start: number;
  readonly size: number;
}

export interface LooseObject {
  readonly hash: Hash;
  readonly predecessor: Hash | undefined;
  readonly content: Uint8Array;
}

/** A block with the objects in it, not yet in the index. */
export interface NewBlock extends Block {
  readonly objects: readonly { readonly hash: Hash; readonly start: number; readonly size: number }[];
}

/** Which objects exist and where: rows that point into packs, and the loose objects themselves. */
export class ObjectIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  has(hash: Hash): boolean {
    const found = this.#database
      .prepare("SELECT 1 FROM objects WHERE hash = ?1 UNION ALL SELECT 1 FROM loose_objects WHERE hash = ?1 LIMIT 1")
      .get(bytes(hash));
    return found !== undefined;
  }

  isEmpty(): boolean {
    return (
      this.#database.prepare("SELECT 1 FROM objects UNION ALL SELECT 1 FROM loose_objects LIMIT 1").get() === undefined
    );
  }

  /**
   * The content of a loose object, or the place of a packed one. One query, because the object may be moved between
   * two.
   */
  find(hash: Hash): Uint8Array | ObjectPlace | undefined {
    const row = this.#database
      .prepare(
        `SELECT block, start, size, NULL AS content FROM objects WHERE hash = ?1
         UNION ALL SELECT NULL, NULL, NULL, content FROM loose_objects WHERE hash = ?1 LIMIT 1`,
      )
      .get(bytes(hash));
    if (!row) return undefined;
    const { block, start, size, content } = row;
    return (content as Uint8Array | null) ?? { block: Number(block), start: Number(start), size: Number(size) };
  }

  /** The places of packed objects, in the order of `hashes`; `undefined` for any other. One query, which is faster. */
  places(hashes: readonly Hash[]): (ObjectPlace | undefined)[] {
    const rows = this.#database
      .prepare("SELECT block, start, size FROM json_each(?) LEFT JOIN objects ON hash = unhex(value) ORDER BY key")
      .all(JSON.stringify(hashes));
    return rows.map(({ block, start, size }) =>
      block === null ? undefined : { block: Number(block), start: Number(start), size: Number(size) },
    );
  }

  block(id: number): Block | undefined {
    return blockOf(this.#database.prepare("SELECT * FROM blocks WHERE id = ?").get(id));
  }

  /** The block that holds a packed object. */
  blockWith(hash: Hash): Block | undefined {
    const find = this.#database.prepare(
      "SELECT blocks.* FROM objects JOIN blocks ON blocks.id = objects.block WHERE objects.hash = ?",
    );
    return blockOf(find.get(bytes(hash)));
  }

  addLoose(object: LooseObject): void {
    const predecessor = object.predecessor ? bytes(object.predecessor) : null;
    this.#database.run(
      "INSERT OR IGNORE INTO loose_objects (hash, predecessor, content) VALUES (?, ?, ?)",
      bytes(object.hash),
      predecessor,
      object.content,
    );
  }

  /** The oldest loose objects in the order of writing, so that a predecessor comes before its successor. */
  loose(atMost: number): LooseObject[] {
    return this.#database
      .prepare("SELECT hash, predecessor, content FROM loose_objects ORDER BY rowid LIMIT ?")
      .all(atMost)
      .map((row) => ({
        hash: hex(row["hash"] as Uint8Array),
        predecessor: row["predecessor"] ? hex(row["predecessor"] as Uint8Array) : undefined,
        content: row["content"] as Uint8Array,
      }));
  }

  hasLoose(): boolean {
    return this.#database.prepare("SELECT 1 FROM loose_objects LIMIT 1").get() !== undefined;
  }

  dropLoose(hash: Hash): void {
    this.#database.run("DELETE FROM loose_objects WHERE hash = ?", bytes(hash));
  }

  /**
   * Reserves `length` bytes of a pack for this writer, and returns the place. A crash before the bytes are named leaves
   * a gap, which is harmless. Not flushed by itself: a power loss that undoes the reservation also undoes every later
   * commit, so no row names the range, and it can be reserved again.
   */
  reserve(length: number, largestPack: number): { pack: number; offset: number } {
    return this.#database.unflushed(() => {
      const last = this.#database.prepare("SELECT id, size FROM packs ORDER BY id DESC LIMIT 1").get();
      if (last && Number(last["size"]) + length <= largestPack) {
        const pack = Number(last["id"]);
        this.#database.run("UPDATE packs SET size = size + ? WHERE id = ?", length, pack);
        return { pack, offset: Number(last["size"]) };
      }
      return { pack: this.#database.run("INSERT INTO packs (size) VALUES (?)", length).id, offset: 0 };
    });
  }

  hasPack(id: number): boolean {
    return this.#database.prepare("SELECT 1 FROM packs WHERE id = ?").get(id) !== undefined;
  }

  /** An object that another writer has named first keeps its place. */
  addBlock(block: NewBlock): void {
    const { id } = this.#database.run(
      "INSERT INTO blocks (pack, offset, length, size, base, depth) VALUES (?, ?, ?, ?, ?, ?)",
      block.pack,
      block.offset,
      block.length,
      block.size,
      block.base ? bytes(block.base) : null,
      block.depth,
    );
    const { objects } = block;
    for (let at = 0; at < objects.length; at += ROWS_AT_ONCE) {
      const rows = objects.slice(at, at + ROWS_AT_ONCE);
      const values = rows.map(() => "(?, ?, ?, ?)").join(", ");
      this.#database
        .prepare(`INSERT OR IGNORE INTO objects (hash, block, start, size) VALUES ${values}`)
        .run(...rows.flatMap(({ hash, start, size }) => [bytes(hash), id, start, size]));
    }
  }
}

/** A call to SQLite costs more than a row of this table. */
const ROWS_AT_ONCE = 16;

function blockOf(row: Readonly<Record<string, unknown>> | undefined): Block | undefined {
  if (!row) return undefined;
  return {
    pack: Number(row["pack"]),
    offset: Number(row["offset"]),
    length: Number(row["length"]),
    size: Number(row["size"]),
    base: row["base"] ? hex(row["base"] as Uint8Array) : undefined,
    depth: Number(row["depth"]),
  };
}

function bytes(hash: Hash): Buffer {
  return Buffer.from(hash, "hex");
}

function hex(value: Uint8Array): Hash {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex");
}
