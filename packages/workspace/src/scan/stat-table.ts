/**
 * The `lstat` results of every captured directory and file when it was last read.
 *
 * A row is a directory: its own five numbers, then five for each of its entries. `check` only finds what looks
 * different now; the scanner decides what that means. Two threads hold the same rows and take slots in turn, because
 * most of a scan is `lstat`, and Node's synchronous calls are the fast ones.
 *
 * A ctime of NaN differs from everything. It marks an entry that must be read again whatever `lstat` says: one that
 * changed so shortly before it was read that a second change could have the same time, or one that changed while it was
 * read.
 */
import type { Stats } from "node:fs";
import type { BytePath } from "../model/model.ts";
import { diskPath, isAscii } from "../model/path-bytes.ts";
import { look, lookAt } from "./entry-looks.ts";
import type { Names } from "./names.ts";

export const NUMBERS_PER_ENTRY = 5;

export interface StatRow {
  readonly path: BytePath;
  readonly names: Names;
  /** mtime, ctime, inode, size, mode: first of the directory, then of each name. */
  readonly stats: Float64Array;
}

export interface Difference {
  readonly slot: number;
  /** Whether the directory itself differs: names in it may have appeared or disappeared. */
  readonly directory: boolean;
  /** Indexes into the row's names. */
  readonly entries: readonly number[];
}

const CHUNK_NUMBERS = 4 * 1024;
let chunk: Float64Array = new Float64Array(0);
let used = 0;

/** Numbers for a directory and its entries, in memory shared by all threads, so that sending a row does not copy it. */
export function newStats(entries: number): Float64Array {
  const length = (entries + 1) * NUMBERS_PER_ENTRY;
  if (used + length > chunk.length) {
    const bytes = Math.max(CHUNK_NUMBERS, length) * Float64Array.BYTES_PER_ELEMENT;
    chunk = new Float64Array(new SharedArrayBuffer(bytes));
    used = 0;
  }
  used += length;
  return chunk.subarray(used - length, used);
}

export class StatTable {
  readonly #root: BytePath;
  readonly #rows: (StatRow | undefined)[] = [];

  constructor(root: BytePath) {
    this.#root = root;
  }

  get slots(): number {
    return this.#rows.length;
  }

  set(slot: number, row: StatRow | undefined): void {
    while (this.#rows.length <= slot) this.#rows.push(undefined);
    this.#rows[slot] = row;
  }

  check(slot: number): Difference | undefined {
    const row = this.#rows[slot];
    if (!row) return undefined;
    const { names, stats } = row;
    const directory = differs(look(this.#root, row.path), stats, 0);
    let entries: number[] | undefined;
    const inside = diskPath(this.#root, row.path);
    const isPlain = typeof inside === "string" && isAscii(names.text);
    const prefix = isPlain ? `${inside}/` : row.path === "" ? "" : `${row.path}/`;
    names.forEach((name, index) => {
      const stat = isPlain ? lookAt(prefix + name) : look(this.#root, prefix + name);
      if (!differs(stat, stats, (index + 1) * NUMBERS_PER_ENTRY)) return;
      entries ??= [];
      entries.push(index);
    });
    return directory || entries ? { slot, directory, entries: entries ?? [] } : undefined;
  }
}

/** Takes slots until none is left; other threads that share `next` take some of them. */
export function takeSlots(table: StatTable, next: Int32Array, cancelled: () => boolean): Difference[] {
  const found: Difference[] = [];
  const atOnce = 32;
  while (!cancelled()) {
    const start = Atomics.add(next, 0, atOnce);
    if (start >= table.slots) break;
    for (let slot = start; slot < Math.min(start + atOnce, table.slots); slot += 1) {
      const difference = table.check(slot);
      if (difference) found.push(difference);
    }
  }
  return found;
}

export function putStat(stats: Float64Array, at: number, stat: Stats): void {
  stats[at] = stat.mtimeMs;
  stats[at + 1] = stat.ctimeMs;
  stats[at + 2] = stat.ino;
  stats[at + 3] = stat.size;
  stats[at + 4] = stat.mode;
}

/** A directory's size means nothing, and on some file systems it changes by itself. */
function differs(stat: ReturnType<typeof look>, stats: Float64Array, at: number): boolean {
  return (
    typeof stat !== "object" ||
    stat.ctimeMs !== stats[at + 1] ||
    stat.mtimeMs !== stats[at] ||
    stat.ino !== stats[at + 2] ||
    (at > 0 && stat.size !== stats[at + 3]) ||
    stat.mode !== stats[at + 4]
  );
}

/** In milliseconds: how long after a change another change may get the same time. */
const COARSE_CLOCK = 2_100;
const TICK = 20;

/** Whether a change after `now` could have the same ctime. The kernel sets ctime; no program can set it back. */
export function isRacy(stat: Stats, now: number): boolean {
  const window = Number.isInteger(stat.ctimeMs / 1000) ? COARSE_CLOCK : TICK;
  return stat.ctimeMs > now - window;
}
