import type { Database } from "../database/database.ts";
import type { Hash } from "../model/model.ts";

/** Where a block lies, and what it takes to read it. */
export interface Block {
  readonly pack: number;
  readonly offset: number;
  readonly length: number;
  /** Bytes once decompressed. */
  readonly size: number;
  /** The object whose content is this block's zstd dictionary. */
  readonly base: Hash | undefined;
  /** How many dictionaries have to be read first. */
  readonly depth: number;
}

export interface ObjectPlace {
  readonly block: Block & { readonly id: number };
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

/** Which objects there are and where: rows over packs, and the loose objects themselves. */
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

  place(hash: Hash): ObjectPlace | undefined {
    return placeOf(this.#database.prepare(PLACE).get(bytes(hash)));
  }

  /** A loose object's content, or where an object lies; one look, because it may be settled between two. */
  find(hash: Hash): Uint8Array | ObjectPlace | undefined {
    const row = this.#database
      .prepare(
        `${PLACE} UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, content
         FROM loose_objects WHERE hash = ?1 LIMIT 1`,
      )
      .get(bytes(hash));
    return (row?.["content"] as Uint8Array | null | undefined) ?? placeOf(row);
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

  /** The oldest ones, in the order they were written, so that a predecessor comes before what follows it. */
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
   * Gives the caller `length` bytes of a pack that no other writer will be given, and says where.
   * A crash before they are named leaves a gap, nothing worse. Not flushed by itself: a power loss that takes the
   * reservation takes every later commit with it, so that no row names the range, and it can be given away again.
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

  /** An object that another writer named first keeps its place. */
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
    for (let at = 0; at < objects.length; at += rowsAtOnce) {
      const rows = objects.slice(at, at + rowsAtOnce);
      const values = rows.map(() => "(?, ?, ?, ?)").join(", ");
      this.#database
        .prepare(`INSERT OR IGNORE INTO objects (hash, block, start, size) VALUES ${values}`)
        .run(...rows.flatMap(({ hash, start, size }) => [bytes(hash), id, start, size]));
    }
  }
}

/** A call of SQLite costs more than a row of this table. */
const rowsAtOnce = 16;

const PLACE = `
  SELECT objects.start, objects.size, blocks.id, blocks.pack, blocks.offset, blocks.length,
    blocks.size AS raw, blocks.base, blocks.depth, NULL AS content
  FROM objects JOIN blocks ON blocks.id = objects.block WHERE objects.hash = ?1`;

function placeOf(row: Readonly<Record<string, unknown>> | undefined): ObjectPlace | undefined {
  if (!row) return undefined;
  return {
    start: Number(row["start"]),
    size: Number(row["size"]),
    block: {
      id: Number(row["id"]),
      pack: Number(row["pack"]),
      offset: Number(row["offset"]),
      length: Number(row["length"]),
      size: Number(row["raw"]),
      base: row["base"] ? hex(row["base"] as Uint8Array) : undefined,
      depth: Number(row["depth"]),
    },
  };
}

function bytes(hash: Hash): Buffer {
  return Buffer.from(hash, "hex");
}

function hex(value: Uint8Array): Hash {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex");
}
