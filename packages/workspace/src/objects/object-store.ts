/**
 * Stores content by hash.
 *
 *   write ──▶ pending ──flush──▶ loose rows ──settle──▶ blocks in packs
 *                 └──── much at once ────────────────────▲
 *
 * Pending content is in memory. A flush of little content (a turn's edits) writes it to SQLite as loose rows: one
 * commit, no second file to flush, and the capture that names it can be in that commit. Much content at once (a first
 * capture) goes to a pack in blocks of many objects, because a zstd call costs more than compressing a small file.
 * Settling moves loose rows into blocks in idle moments, and compresses each version with its predecessor as the
 * dictionary.
 *
 * Invariants:
 * - The index names only bytes that were flushed before the row was committed. No row names the torn tail of a pack.
 * - An object is in one place, or for a time in two with the same content. Reading either is right, since content is
 *   checked against its hash.
 * - A chain of dictionaries is at most `DEEPEST` long. A version that would exceed it uses the chain's first version as
 *   its dictionary instead of its predecessor.
 * - Objects are named in the transaction that flushes them (`flush` joins an open one). Objects that already existed
 *   are looked up again in that transaction, so that gc cannot delete what a capture relies on.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Database } from "../database/database.ts";
import { StoreError } from "../database/store-error.ts";
import { ByteWriter } from "../model/byte-codec.ts";
import { freeBuffer } from "../model/free-buffer.ts";
import type { BytePath, Hash, ObjectReader, ObjectWriter, WantedObject } from "../model/model.ts";
import { objectId } from "../model/object-id.ts";
import { BlockBuilder, type Unplaced } from "./block-builder.ts";
import type { Garbage } from "./garbage.ts";
import { ObjectError } from "./object-error.ts";
import { type NewBlock, ObjectIndex, type ObjectPlace } from "./object-index.ts";
import { PackFiles } from "./pack-files.ts";
import { RecentBlocks } from "./recent-blocks.ts";

const DEEPEST = 24;
const LARGEST_PACK = 512 * 1024 * 1024;
const SPILL_BYTES = 512 * 1024;
const MOST_VERSION_BYTES = 1024 * 1024;
const SMALLEST_DELTA = 512;
/** The size of a block's own rows in the index. */
const DELTA_OVERHEAD = 96;
const LOOKED_UP_AT_ONCE = 64;
const LARGEST_DICTIONARY = 32 * 1024 * 1024;

/** An object to be compressed against its predecessor. */
interface Version {
  readonly hash: Hash;
  readonly content: Uint8Array;
  readonly predecessor: Hash;
}

/** Objects in a pack but not yet in the index, passed between two threads. */
export interface HandedOver {
  readonly blocks: readonly NewBlock[];
  readonly reliedOn: readonly Hash[];
}

export class ObjectStore implements ObjectReader, ObjectWriter {
  readonly #database: Database;
  readonly #index: ObjectIndex;
  readonly #packs: PackFiles;
  /** Written and not flushed: single objects, and versions of others. */
  readonly #builder = new BlockBuilder();
  #versions = new Map<Hash, Version>();
  #versionBytes = 0;
  /** Blocks that are compressed but not yet in a pack, and their bytes. */
  #compressed: Unplaced["block"][] = [];
  #compressedBytes = new ByteWriter();
  /** Blocks in a pack, not yet in the index. */
  #placed: NewBlock[] = [];
  #placedHashes = new Set<Hash>();
  /** Existing objects that were written again: gc must not have deleted them when they are named. */
  #reliedOn = new Set<Hash>();
  /** The dictionary chains of blocks that are not yet in the index. */
  #chains = new Map<Hash, { base: Hash; depth: number }>();
  /** Whether the store held any objects when this batch began. */
  #lookUp: boolean | undefined;
  readonly #recent = new RecentBlocks();

  constructor(database: Database, directory: string) {
    this.#database = database;
    this.#index = new ObjectIndex(database);
    this.#packs = new PackFiles(directory);
  }

  has(hash: Hash): boolean {
    return this.#isPending(hash) || this.#index.has(hash);
  }

  write(content: Uint8Array, predecessor?: Hash): Hash {
    const hash = objectId("blob", content);
    this.writeHashed(hash, content, predecessor);
    return hash;
  }

  /** For a caller that already has the hash. Copies `content`. */
  writeHashed(hash: Hash, content: Uint8Array, predecessor?: Hash): void {
    if (this.#isPending(hash)) return;
    this.#lookUp ??= !this.#index.isEmpty();
    if (this.#lookUp && this.#index.has(hash)) {
      this.#reliedOn.add(hash);
      return;
    }
    if (predecessor && content.byteLength >= SMALLEST_DELTA) {
      this.#versions.set(hash, { hash, content: Buffer.from(content), predecessor });
      this.#versionBytes += content.byteLength;
      if (this.#versionBytes > MOST_VERSION_BYTES) this.#compressVersions();
    } else {
      this.#collect(hash, content);
    }
  }

  /** Everything written so far survives a crash once the joined transaction is committed. */
  flush(): void {
    const much = this.#placedHashes.size + this.#placed.length > 0;
    const little = !this.#builder.empty || this.#versions.size > 0;
    if (!much && !little && this.#reliedOn.size === 0) return;
    if (much) this.#compressAll();
    this.#place();
    this.#packs.flush();
    this.#database.transaction(() => {
      for (const version of this.#versions.values()) this.#index.addLoose(version);
      for (const hash of this.#builder.hashes()) {
        const content = this.#builder.content(hash);
        if (content) this.#index.addLoose({ hash, content, predecessor: undefined });
      }
      this.#name(this.#placed);
      for (const hash of this.#reliedOn) if (!this.#index.has(hash)) throw collected();
    });
    this.forget();
  }

  /** Drops everything that was written and not flushed. */
  forget(): void {
    this.#builder.clear();
    this.#versions = new Map();
    this.#versionBytes = 0;
    this.#compressed = [];
    this.#compressedBytes = new ByteWriter();
    this.#placed = [];
    this.#placedHashes = new Set();
    this.#reliedOn = new Set();
    this.#chains = new Map();
    this.#lookUp = undefined;
  }

  /** For a second thread: puts everything into packs. The adopting thread flushes and names it. */
  handOver(): HandedOver {
    this.#compressAll();
    this.#place();
    const handed = this.handOverPlaced();
    this.forget();
    return handed;
  }

  /** The same for blocks that are already in packs: no block is closed early for it. */
  handOverPlaced(): HandedOver {
    const handed = { blocks: this.#placed, reliedOn: [...this.#reliedOn] };
    this.#placed = [];
    this.#placedHashes = new Set(this.#compressed.flatMap(({ objects }) => objects.map(({ hash }) => hash)));
    this.#reliedOn = new Set();
    return handed;
  }

  /** Takes over objects that another thread wrote; the next flush names them. */
  adopt({ blocks, reliedOn }: HandedOver): void {
    for (const block of blocks) {
      this.#placed.push(block);
      this.#packs.flushLater(block.pack);
    }
    for (const hash of reliedOn) this.#reliedOn.add(hash);
  }

  /**
   * Moves some loose objects into packs, each version compressed against its predecessor; returns whether there are
   * more. Not all at once, so that a capture does not have to wait for long.
   */
  settle(atMost = 100): boolean {
    if (!this.#index.hasLoose()) return false;
    try {
      this.#database.transaction(() => {
        const loose = this.#index.loose(atMost);
        for (const { hash, content, predecessor } of loose) {
          if (this.#index.blockWith(hash)) continue;
          const version = predecessor ? { hash, content, predecessor } : undefined;
          if (!version || !this.#compressVersion(version)) this.#collect(hash, content);
        }
        this.#compressAll();
        this.#place();
        this.#packs.flush();
        this.#name(this.#placed);
        for (const object of loose) this.#index.dropLoose(object.hash);
      });
    } finally {
      this.forget();
    }
    return this.#index.hasLoose();
  }

  /** Copies the used part of a pack to a new one. For garbage collection, in its transaction. */
  movePack(pack: number, garbage: Garbage): void {
    const blocks = garbage.blocksOf(pack);
    const size = blocks.reduce((sum, { length }) => sum + length, 0);
    if (size > 0) {
      const target = garbage.newPack(size);
      let offset = 0;
      for (const block of blocks) {
        this.#packs.write(target, offset, this.#packs.read(pack, block.offset, block.length));
        garbage.moveBlock(block.id, target, offset);
        offset += block.length;
      }
      this.#packs.flush();
    }
    garbage.dropPack(pack);
  }

  /** Removes pack files that the index does not know, left by collections or by crashes during them. */
  removeUnnamedPacks(): void {
    for (const pack of this.#packs.list()) {
      // In a transaction, so that no other writer can be creating this pack.
      const named = this.#database.transaction(() => this.#index.hasPack(pack));
      if (!named) this.#packs.remove(pack);
    }
  }

  read(hash: Hash, path: BytePath): Buffer {
    return Buffer.from(this.#require(hash, path));
  }

  *readEach(wanted: readonly WantedObject[]): Generator<Buffer> {
    for (let at = 0; at < wanted.length; at += LOOKED_UP_AT_ONCE) {
      const part = wanted.slice(at, at + LOOKED_UP_AT_ONCE);
      const places = this.#index.places(part.map(({ hash }) => hash));
      for (const [index, { hash, path }] of part.entries()) yield this.#require(hash, path, places[index]);
    }
  }

  close(): void {
    this.#packs.close();
  }

  #require(hash: Hash, path: BytePath, place?: ObjectPlace): Buffer {
    const content = this.#find(hash, path, place);
    if (!content) throw new ObjectError("missing", hash, path);
    return content;
  }

  /** Returns a view that is valid until the next write. `place` is where the object was a moment ago, if known. */
  #find(hash: Hash, path: BytePath, place?: ObjectPlace): Buffer | undefined {
    const pending = this.#versions.get(hash)?.content ?? this.#builder.content(hash);
    for (let attempt = 0; ; attempt += 1) {
      const found = pending ?? (attempt === 0 ? place : undefined) ?? this.#index.find(hash);
      if (!found) return undefined;
      try {
        const content = found instanceof Uint8Array ? viewOf(found) : this.#readPlace(found, path);
        if (objectId("blob", content) !== hash) throw new ObjectError("damaged", hash, path);
        return content;
      } catch (cause) {
        this.#recent.clear();
        // gc in another process may have moved the object between the lookup and the read.
        if (attempt > 0) throw cause instanceof ObjectError ? cause : new ObjectError("damaged", hash, path, { cause });
      }
    }
  }

  #readPlace({ block, start, size }: ObjectPlace, path: BytePath): Buffer {
    return this.#readBlock(block, path).subarray(start, start + size);
  }

  #readBlock(id: number, path: BytePath): Buffer {
    const known = this.#recent.get(id);
    if (known) return known;
    const block = this.#index.block(id);
    if (!block) throw new Error("a block was removed between two looks");
    const stored = this.#packs.read(block.pack, block.offset, block.length);
    const dictionary = block.base ? { dictionary: this.read(block.base, path) } : {};
    const chunkSize = Math.max(64, block.size + 1);
    const content = zstdDecompressSync(stored, { ...dictionary, chunkSize, maxOutputLength: chunkSize });
    this.#recent.add(id, content);
    return content;
  }

  #isPending(hash: Hash): boolean {
    return this.#builder.has(hash) || this.#versions.has(hash) || this.#placedHashes.has(hash);
  }

  #collect(hash: Hash, content: Uint8Array): void {
    this.#builder.add(hash, content);
    if (this.#builder.full) this.#queue(this.#builder.take());
  }

  #compressVersions(): void {
    for (const version of this.#versions.values()) {
      if (!this.#compressVersion(version)) this.#collect(version.hash, version.content);
    }
    this.#versions = new Map();
    this.#versionBytes = 0;
  }

  #compressAll(): void {
    this.#compressVersions();
    if (!this.#builder.empty) this.#queue(this.#builder.take());
  }

  /** Returns whether it saved enough; otherwise the object goes into a shared block. */
  #compressVersion({ hash, content, predecessor }: Version): boolean {
    const size = content.byteLength;
    if (size < SMALLEST_DELTA || size > LARGEST_DICTIONARY) return false;
    const chain = this.#chainFrom(predecessor);
    if (!chain) return false;
    const dictionary = this.#dictionary(chain.base);
    if (!dictionary || dictionary.byteLength > LARGEST_DICTIONARY) return false;
    const windowLog = Math.min(27, Math.max(10, Math.ceil(Math.log2(dictionary.byteLength + size))));
    const bytes = zstdCompressSync(content, { dictionary, params: { [constants.ZSTD_c_windowLog]: windowLog } });
    if (bytes.byteLength + DELTA_OVERHEAD > size / 4) return false;
    const { base, depth } = chain;
    this.#chains.set(hash, { base, depth });
    const objects = [{ hash, start: 0, size }];
    this.#queue({ bytes, block: { length: bytes.byteLength, size, base, depth, objects } });
    return true;
  }

  /** A damaged predecessor shows when it is read; its successor is then stored without a dictionary. */
  #dictionary(hash: Hash): Buffer | undefined {
    try {
      return this.#find(hash, "");
    } catch (error) {
      if (error instanceof ObjectError) return undefined;
      throw error;
    }
  }

  /** The dictionary for a version after `predecessor`, and the resulting depth. */
  #chainFrom(predecessor: Hash): { base: Hash; depth: number } | undefined {
    const before = this.#chains.get(predecessor) ?? this.#index.blockWith(predecessor);
    if (!before) return this.has(predecessor) ? { base: predecessor, depth: 1 } : undefined;
    if (before.depth < DEEPEST) return { base: predecessor, depth: before.depth + 1 };
    let first = predecessor;
    for (let block: { base: Hash | undefined } | undefined = before; block?.base; ) {
      first = block.base;
      block = this.#chains.get(first) ?? this.#index.blockWith(first);
    }
    return { base: first, depth: 1 };
  }

  #queue({ bytes, block }: Unplaced): void {
    this.#compressed.push(block);
    // Together, so that one call writes them, and memory does not fill with small buffers.
    this.#compressedBytes.bytes(bytes);
    freeBuffer(bytes);
    for (const { hash } of block.objects) this.#placedHashes.add(hash);
    if (this.#compressedBytes.length >= SPILL_BYTES) this.#place();
  }

  #place(): void {
    if (this.#compressed.length === 0) return;
    const { pack, offset } = this.#index.reserve(this.#compressedBytes.length, LARGEST_PACK);
    this.#packs.write(pack, offset, this.#compressedBytes.take());
    let at = offset;
    for (const block of this.#compressed) {
      this.#placed.push({ ...block, pack, offset: at });
      at += block.length;
    }
    this.#compressed = [];
  }

  #name(blocks: readonly NewBlock[]): void {
    for (const block of blocks) {
      if (!this.#index.hasPack(block.pack)) throw collected();
      this.#index.addBlock(block);
    }
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function collected(): StoreError {
  return new StoreError(
    "collected",
    "Garbage collection removed an object while it was being saved. Nothing was changed. Try again.",
  );
}
