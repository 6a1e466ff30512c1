import type { Database } from "@retake/workspace";
import { EntryRows } from "./entry-rows.ts";
import { bothCuts, type Cut, isIn, layersOf, NO_CUT, readSpace, type SpaceId } from "./layers.ts";
import { END } from "./record-key.ts";

/** Up to this many rows are copied instead of becoming a layer. */
export const FEW = 256;

/**
 * How layers are created and merged.
 *
 * A space with few rows of its own is copied onto the same base. A space with more becomes the base of the new space
 * and, if a take is at it, of a new one for that take. A space that is a base is never written again, with one
 * exception: when it has less than twice the rows of the layer above it, both are merged. The visible rows stay the
 * same.
 *
 * So every base has more than 256 rows and at least twice as many as the layer above, and a take of n rows has at most
 * log2(n / 256) + 2 layers. A merge writes at most twice as many rows as were written into the upper layer since it
 * began; each row is part of at most log2(n / 256) merges.
 */
export class SpaceLayers {
  readonly #database: Database;
  readonly #few: number;

  constructor(database: Database, few: number) {
    this.#database = database;
    this.#few = few;
  }

  /** Makes a new space that shows the same as another one, except for a cut. `taker` is the take that gets it. */
  branchOff(source: SpaceId, cut: Cut, taker: { readonly thread: string; readonly take: string }): SpaceId {
    const { thread, take } = taker;
    const row = readSpace(this.#database, source);
    const entries = new EntryRows(this.#database, { layers: layersOf(this.#database, source) });
    const count = entries.countUpto(cut.upto);
    if (!this.#hasMore(source, this.#few)) {
      const below = bothCuts(row, cut);
      const layer = this.#create(thread, row.base, row.base === undefined ? NO_CUT : below, count);
      this.#pour(source, layer, cut);
      return layer;
    }
    this.settle(source);
    const standing = this.#database.prepare("SELECT take FROM takes WHERE space = ?").get(source)?.["take"];
    if (standing !== undefined && standing !== take) {
      const top = this.#create(thread, source, NO_CUT, entries.size);
      this.#database.run("UPDATE takes SET space = ? WHERE space = ?", top, source);
    }
    return this.#create(thread, source, cut, count);
  }

  /** Merges a space with the layers below it that are too small to stay separate. */
  settle(space: SpaceId): void {
    for (;;) {
      const row = readSpace(this.#database, space);
      if (row.base === undefined || this.#hasMore(row.base, 2 * this.#rows(space))) return;
      const below = readSpace(this.#database, row.base);
      this.#pour(row.base, space, row);
      const { upto, until } = bothCuts(row, below);
      this.#database.run(
        "UPDATE spaces SET base = ?, upto = ?, until = ? WHERE id = ?",
        below.base ?? null,
        below.base === undefined ? null : (upto ?? null),
        below.base === undefined ? null : (until ?? null),
        space,
      );
      this.#dropRemovals(space);
    }
  }

  #create(thread: string, base: SpaceId | undefined, { upto, until }: Cut, count: number): SpaceId {
    return this.#database.run(
      "INSERT INTO spaces (thread, base, upto, until, entry_count) VALUES (?, ?, ?, ?, ?)",
      thread,
      base ?? null,
      upto ?? null,
      until ?? null,
      count,
    ).id;
  }

  /**
   * Moves the rows of one space under those of another, except for a cut. A row that is cut off still hides the rows
   * below it; if there are any, it becomes a removal.
   */
  #pour(from: SpaceId, to: SpaceId, { upto, until }: Cut): void {
    const below = layersOf(this.#database, from)
      .slice(1)
      .map(({ space }) => space);
    const last = upto ?? END;
    this.#database.run(
      `INSERT INTO entries (space, id, place, value, words)
       SELECT ?, id, iif(place <= ?, place, NULL), iif(place <= ?, value, NULL), iif(place <= ?, words, 0)
       FROM entries AS shown WHERE space = ? AND (place <= ? OR ${isIn("entries", below.length)})
       AND NOT ${isIn("entries", 1)}`,
      ...[to, last, last, last, from, last, ...below, to],
    );
    const later = "coalesce(version, 0) > ?";
    const version = until ?? Number.MAX_SAFE_INTEGER;
    this.#database.run(
      `INSERT INTO records (space, id, version, value)
       SELECT ?, id, iif(${later}, NULL, version), iif(${later}, NULL, value) FROM records AS shown
       WHERE space = ? AND (value IS NOT NULL AND NOT ${later} OR ${isIn("records", below.length)})
       AND NOT ${isIn("records", 1)}`,
      ...[to, version, version, from, version, ...below, to],
    );
  }

  /** Deletes removals that hide nothing in the layers below. */
  #dropRemovals(space: SpaceId): void {
    const below = layersOf(this.#database, space)
      .slice(1)
      .map((layer) => layer.space);
    for (const [table, isRemoval] of [
      ["entries", "place IS NULL"],
      ["records", "value IS NULL"],
    ] as const) {
      this.#database.run(
        `DELETE FROM ${table} WHERE space = ? AND ${isRemoval} AND NOT ${isIn(table, below.length, table)}`,
        ...[space, ...below],
      );
    }
  }

  #hasMore(space: SpaceId, than: number): boolean {
    const row = this.#database
      .prepare(
        `SELECT count(*) AS n FROM (SELECT * FROM (SELECT 1 FROM entries WHERE space = :space LIMIT :most)
         UNION ALL SELECT * FROM (SELECT 1 FROM records WHERE space = :space LIMIT :most))`,
      )
      .get({ space, most: than + 1 });
    return Number(row?.["n"]) > than;
  }

  /** Counted when the space becomes a base, once for all rows that were written into it. */
  #rows(space: SpaceId): number {
    const row = this.#database
      .prepare(
        `SELECT (SELECT count(*) FROM entries WHERE space = :space)
           + (SELECT count(*) FROM records WHERE space = :space) AS n`,
      )
      .get({ space });
    return Number(row?.["n"]);
  }
}
